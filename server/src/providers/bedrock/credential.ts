/** A channel's key for Bedrock: `AccessKey|SecretKey|Region`, or a Bedrock API key as `APIKey|Region`. */
export type BedrockCredential =
  | { readonly kind: 'signed'; readonly accessKey: string; readonly secretKey: string; readonly region: string }
  | { readonly kind: 'bearer'; readonly apiKey: string; readonly region: string }

/** A region becomes part of a host name, so it may hold nothing else. */
const isRegion = (text: string): boolean => /^[a-z0-9-]+$/.test(text)

/** Parses a channel's key; undefined if it has neither form. */
export const bedrockCredential = (key: string): BedrockCredential | undefined => {
  const parts = key.split('|').map((part) => part.trim())
  const [first = '', second = '', third = ''] = parts
  if (parts.some((part) => part === '') || !isRegion(parts.at(-1) ?? '')) return undefined
  if (parts.length === 2) return { kind: 'bearer', apiKey: first, region: second }
  return parts.length === 3 ? { kind: 'signed', accessKey: first, secretKey: second, region: third } : undefined
}
