/** Who calls Bedrock, and where: `AccessKey|SecretKey|Region`, or a Bedrock API key as `APIKey|Region`. */
export type BedrockKey =
  | { readonly kind: 'signed'; readonly accessKey: string; readonly secretKey: string; readonly region: string }
  | { readonly kind: 'bearer'; readonly apiKey: string; readonly region: string }

/** It becomes part of a host name. */
const isRegion = (text: string): boolean => /^[a-z0-9-]+$/.test(text)

/** undefined for anything else. */
export const bedrockKey = (key: string): BedrockKey | undefined => {
  const parts = key.split('|').map((part) => part.trim())
  const [first = '', second = '', third = ''] = parts
  if (parts.some((part) => part === '') || !isRegion(parts.at(-1) ?? '')) return undefined
  if (parts.length === 2) return { kind: 'bearer', apiKey: first, region: second }
  return parts.length === 3 ? { kind: 'signed', accessKey: first, secretKey: second, region: third } : undefined
}
