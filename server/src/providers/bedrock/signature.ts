import { packageOnUse } from '../../lib/on-first-use.ts'
import type { SigningTools, UnsignedRequest } from '../provider.ts'
import { type BedrockCredential, bedrockCredential } from './credential.ts'

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
