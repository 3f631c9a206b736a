import { createHash, createHmac } from 'node:crypto'

interface CanonicalRequest {
  readonly method: string
  /** As the service encodes it. */
  readonly path: string
  /** Sorted and encoded. */
  readonly query: string
  /** All of them are signed; among them are `x-amz-content-sha256` and `x-amz-date`. */
  readonly headers: Readonly<Record<string, string>>
}

interface Signatory {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly region: string
  readonly service: string
}

/** The signature as AWS describes it (docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html), step by step. */
export const describedSignature = (
  { method, path, query, headers }: CanonicalRequest,
  { accessKeyId, secretAccessKey, region, service }: Signatory,
): string => {
  const sha = (text: string): string => createHash('sha256').update(text).digest('hex')
  const mac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()
  const names = Object.keys(headers).sort()
  const lines = names.map((name) => `${name}:${headers[name]}\n`).join('')
  const canonical = [method, path, query, lines, names.join(';'), headers['x-amz-content-sha256']].join('\n')
  const date = headers['x-amz-date'] ?? ''
  const scope = [date.slice(0, 8), region, service, 'aws4_request']
  const toSign = ['AWS4-HMAC-SHA256', date, scope.join('/'), sha(canonical)].join('\n')
  const signature = mac(scope.reduce<string | Buffer>(mac, `AWS4${secretAccessKey}`), toSign).toString('hex')
  const credential = `${accessKeyId}/${scope.join('/')}`
  return `AWS4-HMAC-SHA256 Credential=${credential}, SignedHeaders=${names.join(';')}, Signature=${signature}`
}
