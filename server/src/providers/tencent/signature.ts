import { createHash, createHmac } from 'node:crypto'

/** The signed parts of a request to a Tencent Cloud service. */
export interface SignedRequest {
  readonly service: string
  readonly host: string
  readonly action: string
  readonly contentType: string
  readonly body: Buffer
  /** Unix seconds. */
  readonly timestamp: number
}

const hash = (bytes: string | Buffer): string => createHash('sha256').update(bytes).digest('hex')
const mac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()

const signedHeaders = 'content-type;host;x-tc-action'

/** The `Authorization` header of TC3-HMAC-SHA256 (cloud.tencent.com/document/api/1729/101843). */
export const tc3Authorization = (request: SignedRequest, secretId: string, secretKey: string): string => {
  const { service, host, action, contentType, body, timestamp } = request
  const date = new Date(timestamp * 1000).toISOString().slice(0, 10)
  const headers = `content-type:${contentType}\nhost:${host}\nx-tc-action:${action.toLowerCase()}\n`
  const canonical = `POST\n/\n\n${headers}\n${signedHeaders}\n${hash(body)}`
  const scope = `${date}/${service}/tc3_request`
  const text = `TC3-HMAC-SHA256\n${timestamp}\n${scope}\n${hash(canonical)}`
  const key = mac(mac(mac(`TC3${secretKey}`, date), service), 'tc3_request')
  const signature = createHmac('sha256', key).update(text).digest('hex')
  return `TC3-HMAC-SHA256 Credential=${secretId}/${scope}, SignedHeaders=${signedHeaders}, Signature=${signature}`
}
