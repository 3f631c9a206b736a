import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { asyncListener } from './async-listener.ts'
import { describedSignature } from './described-signature.ts'

/** A storage with one bucket, `s3://site`. */
export interface TestBucket {
  /** Variables with which it is found. */
  readonly environment: Readonly<Record<string, string>>
  /** By their keys. */
  readonly objects: ReadonlyMap<string, Buffer>
  /** Statuses of the next answers, which fail. */
  readonly failures: number[]
  close(): Promise<unknown>
}

const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)

/** The signature that S3 expects of a request for this key. */
const expectedSignature = ({ method = '', url = '', headers }: IncomingMessage): string => {
  const { pathname, searchParams } = new URL(url, 'http://storage')
  const path = decodeURIComponent(pathname).split('/').map(encoded).join('/')
  const query = [...searchParams]
    .map((pair) => pair.map(encoded).join('='))
    .sort()
    .join('&')
  const names = ['host', 'x-amz-content-sha256', 'x-amz-date']
  const signed = Object.fromEntries(names.map((name) => [name, String(headers[name])]))
  const signatory = { accessKeyId: 'id', secretAccessKey: 'secret', region: 'us-east-1', service: 's3' }
  return describedSignature({ method, path, query, headers: signed }, signatory)
}

/** Server with the used parts of S3's protocol: uploads whole and in parts, ranges, lists of pages of one, answers by name. */
export const startBucket = async (): Promise<TestBucket> => {
  const objects = new Map<string, Buffer>()
  const failures: number[] = []
  const uploads = new Map<string, Map<number, Buffer>>()
  const server = createServer(
    { keepAliveTimeout: 0 },
    asyncListener(async (request, response) => {
      const { pathname, searchParams: query } = new URL(request.url ?? '', 'http://storage')
      const body = await buffer(request)
      const key = decodeURIComponent(pathname.slice('/site/'.length))
      const upload = query.get('uploadId')
      const parts = uploads.get(upload ?? '')
      const answer = (status: number, xml = '', headers = {}): void => void response.writeHead(status, headers).end(xml)
      if (request.headers.authorization !== expectedSignature(request)) {
        answer(403, '<Error><Code>SignatureDoesNotMatch</Code></Error>')
      } else if (failures.length > 0) {
        answer(failures.shift() ?? 500)
      } else if (query.has('uploads')) {
        uploads.set('one & only', new Map())
        answer(200, '<R><UploadId>one &amp; only</UploadId></R>')
      } else if (parts !== undefined && request.method === 'PUT') {
        parts.set(Number(query.get('partNumber')), body)
        answer(200, '', { etag: `"${query.get('partNumber')}"` })
      } else if (parts !== undefined && request.method === 'POST') {
        objects.set(key, Buffer.concat([...parts.values()]))
        answer(200, '<R/>')
      } else if (query.has('list-type')) {
        const keys = [...objects.keys()].filter((name) => name.startsWith(query.get('prefix') ?? '')).sort()
        const at = Number(query.get('continuation-token') ?? 0)
        const more = at + 1 < keys.length ? `<NextContinuationToken>${at + 1}</NextContinuationToken>` : ''
        answer(200, keys[at] === undefined ? '<R/>' : `<R><Key>${keys[at]}</Key>${more}</R>`)
      } else if (request.method === 'DELETE') {
        answer(objects.delete(key) ? 204 : 404)
      } else if (request.method === 'PUT') {
        objects.set(key, body)
        answer(200)
      } else {
        const found = objects.get(key)
        const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '')
        if (found === undefined) answer(404)
        else if (range === null) response.writeHead(200).end(found)
        else if (Number(range[1]) >= found.length) answer(416)
        else response.writeHead(206).end(found.subarray(Number(range[1]), Number(range[2]) + 1))
      }
    }),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    environment: {
      AWS_ACCESS_KEY_ID: 'id',
      AWS_SECRET_ACCESS_KEY: 'secret',
      AWS_ENDPOINT_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    },
    objects,
    failures,
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}
