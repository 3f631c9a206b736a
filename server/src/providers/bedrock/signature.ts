import { packageOnUse } from '../../lib/on-first-use.ts'
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

const signing = packageOnUse<typeof import('@smithy/signature-v4')>('@smithy/signature-v4')
const hashing = packageOnUse<typeof import('@aws-crypto/sha256-js')>('@aws-crypto/sha256-js')

/** Signs only the headers that no proxy changes. */
const signed = async (
  { url, headers, body }: UnsignedRequest,
  { accessKey, secretKey, region }: Extract<BedrockCredential, { kind: 'signed' }>,
  now: number,
): Promise<Record<string, string>> => {
  const { protocol, hostname, host, pathname } = new URL(url)
  const signer = new (signing().SignatureV4)({
    credentials: { accessKeyId: accessKey, secretAccessKey: secretKey },
    region,
    service: 'bedrock',
    sha256: hashing().Sha256,
  })
  const request = {
    method: 'POST',
    protocol,
    hostname,
    path: pathname,
    headers: { host, 'content-type': headers['content-type'] ?? 'application/json' },
    body,
  }
  const answer = await signer.sign(request, { signingDate: new Date(now) })
  return answer.headers
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
