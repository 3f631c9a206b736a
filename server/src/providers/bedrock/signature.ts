import { awsSignature } from '../../lib/security/aws-signature.ts'
import type { SigningTools, UnsignedRequest } from '../provider.ts'

/** A channel's key for Bedrock: `AccessKey|SecretKey|Region`, or a Bedrock API key as `APIKey|Region`. */
type BedrockCredential =
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

/** Signs only the headers that no proxy changes. */
const signed = (
  { url, headers, body }: UnsignedRequest,
  { accessKey, secretKey, region }: Extract<BedrockCredential, { kind: 'signed' }>,
  at: number,
): Promise<Record<string, string>> => {
  const sign = awsSignature({ accessKeyId: accessKey, secretAccessKey: secretKey, region, service: 'bedrock' })
  const contentType = headers['content-type'] ?? 'application/json'
  return sign({ method: 'POST', url, headers: { 'content-type': contentType }, body, at })
}

/** Streams use AWS's event stream, other answers are JSON. */
const acceptOf = (stream: boolean): string => (stream ? 'application/vnd.amazon.eventstream' : 'application/json')

/** AWS signature version 4, or the API key as it is. Throws when the key is neither. */
export const sign = async (request: UnsignedRequest, { now }: SigningTools) => {
  const { call, url } = request
  const key = bedrockCredential(call.key)
  if (key === undefined) throw new Error('the key is neither AccessKey|SecretKey|Region nor APIKey|Region')
  const headers = { ...request.headers, accept: acceptOf(call.stream) }
  const authentication =
    key.kind === 'bearer' ? { authorization: `Bearer ${key.apiKey}` } : await signed(request, key, now())
  return { url, headers: { ...headers, ...authentication } }
}
