import { createHash, createHmac } from 'node:crypto'
import { packageOnUse } from '../on-first-use.ts'

const signing = packageOnUse<typeof import('@smithy/signature-v4')>('@smithy/signature-v4')

export interface AwsIdentity {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** Part of temporary keys. */
  readonly sessionToken?: string
  readonly region: string
  readonly service: 'bedrock' | 's3'
}

export interface AwsRequest {
  readonly method: string
  readonly url: string
  /** Headers to sign; those that proxies change are better left out. */
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** Milliseconds since 1970. */
  readonly at: number
}

type Bytes = string | ArrayBuffer | ArrayBufferView

const hashable = (data: Bytes): string | Uint8Array => {
  if (typeof data === 'string') return data
  return ArrayBuffer.isView(data) ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength) : new Uint8Array(data)
}

/** SHA-256, or with a secret its HMAC, from Node. */
class Sha256 {
  readonly #hash: { update(data: string | Uint8Array): unknown; digest(): Uint8Array }

  constructor(secret?: Bytes) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', hashable(secret))
  }

  update(data: Bytes): void {
    this.#hash.update(hashable(data))
  }

  digest(): Promise<Uint8Array> {
    return Promise.resolve(this.#hash.digest())
  }
}

/** Encodes everything but RFC 3986's unreserved characters, as AWS does; `encodeURIComponent` leaves five more. */
const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)

/** S3 signs the key encoded once, with all its slashes, however the address writes it. */
const s3Path = (path: string): string =>
  path
    .split('/')
    .map((part) => encoded(decodeURIComponent(part)))
    .join('/')

/**
 * AWS's signature version 4 (docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html). Answers the
 * request's headers with the host and those of the signature. Bodies for S3 are not hashed; the path for Bedrock is encoded twice.
 */
export const awsSignature = (identity: AwsIdentity): ((request: AwsRequest) => Promise<Record<string, string>>) => {
  const { region, service, ...credentials } = identity
  const isS3 = service === 's3'
  const signer = new (signing().SignatureV4)({ credentials, region, service, sha256: Sha256, uriEscapePath: !isS3 })
  return async ({ method, url, headers, body, at }) => {
    const { protocol, hostname, host, pathname, searchParams } = new URL(url)
    const request = {
      method,
      protocol,
      hostname,
      path: isS3 ? s3Path(pathname) : pathname,
      query: Object.fromEntries(searchParams),
      headers: { host, ...(isS3 ? { 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' } : {}), ...headers },
      body,
    }
    const signed = await signer.sign(request, { signingDate: new Date(at) })
    return signed.headers
  }
}
