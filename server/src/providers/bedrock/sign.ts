import { Sha256 } from '@aws-crypto/sha256-js'
import { SignatureV4 } from '@smithy/signature-v4'
import type { SigningTools, Unsigned } from '../provider.ts'
import { type BedrockKey, bedrockKey } from './key.ts'

/** Only what no proxy on the way changes is signed. */
const signed = async (
  { url, headers, body }: Unsigned,
  { accessKey, secretKey, region }: Extract<BedrockKey, { kind: 'signed' }>,
  now: number,
): Promise<Record<string, string>> => {
  const { protocol, hostname, host, pathname } = new URL(url)
  const signer = new SignatureV4({
    credentials: { accessKeyId: accessKey, secretAccessKey: secretKey },
    region,
    service: 'bedrock',
    sha256: Sha256,
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

/** The stream is AWS's own; the other answers are JSON. */
const accept = (stream: boolean): string => (stream ? 'application/vnd.amazon.eventstream' : 'application/json')

/** AWS signature version 4, or the API key as it is. Throws when the key is neither. */
export const sign = async (request: Unsigned, { now }: SigningTools) => {
  const { call, url } = request
  const key = bedrockKey(call.key)
  if (key === undefined) throw new Error('the key is neither AccessKey|SecretKey|Region nor APIKey|Region')
  const headers = { ...request.headers, accept: accept(call.stream) }
  const proof = key.kind === 'bearer' ? { authorization: `Bearer ${key.apiKey}` } : await signed(request, key, now())
  return { url, headers: { ...headers, ...proof } }
}
