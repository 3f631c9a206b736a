import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { setTimeout as sleep } from 'node:timers/promises'
import { reasonOf } from '../reason-of.ts'
import { awsSignature } from '../security/aws-signature.ts'
import type { StoragePlace } from './storage-place.ts'

/** S3 takes parts of at least 5 MB and at most 10,000 of them: 640 GB. */
const partBytes = 64 * 1024 * 1024
const longestAnswer = 64 * 1024 * 1024
const retries = 10
/** Of requests whose connection broke: the storage ends those that were idle for long. */
const connectionRetries = 2
const firstPauseMs = 50

const needed = (environment: NodeJS.ProcessEnv, name: string): string => {
  const value = environment[name] // own names: a constant of this file
  if (value === undefined || value === '') throw new Error(`${name} is missing: storage on S3 needs it.`)
  return value
}

const unescaped = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&')

/** Texts between the tags of this name. The answers that are read are flat lists of texts. */
const textsOf = (xml: string, tag: string): string[] =>
  [...xml.matchAll(new RegExp(`<${tag}>([^<]*)</${tag}>`, 'g'))].map(([, text = '']) => unescaped(text))

interface Request {
  readonly url: string
  readonly method: 'DELETE' | 'GET' | 'POST' | 'PUT'
  readonly body?: Buffer<ArrayBuffer> | string
  readonly headers?: Readonly<Record<string, string>>
  /** Statuses of failures that the caller reads itself. */
  readonly accepts?: readonly number[]
}

/** Pieces of one length, the last one shorter. */
async function* partsOf(bytes: Readable): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = []
  let size = 0
  for await (const chunk of bytes) {
    waiting.push(Buffer.from(chunk))
    size += waiting.at(-1)?.length ?? 0
    if (size < partBytes) continue
    const joined = Buffer.concat(waiting)
    for (let from = 0; from + partBytes <= joined.length; from += partBytes)
      yield joined.subarray(from, from + partBytes)
    const rest = joined.subarray(joined.length - (joined.length % partBytes))
    waiting = [rest]
    size = rest.length
  }
  yield Buffer.concat(waiting)
}

/**
 * A bucket of S3 or of storage that speaks its protocol, from `s3://bucket/prefix`. With `AWS_ENDPOINT_URL` the bucket is part of
 * the path, else of the host.
 */
export const s3Place = (address: string, environment: NodeJS.ProcessEnv): StoragePlace => {
  const [, bucket = '', prefix = ''] = /^s3:\/\/([^/]+)\/?(.*)$/.exec(address) ?? []
  const region = environment.AWS_REGION ?? 'us-east-1'
  const endpoint = environment.AWS_ENDPOINT_URL?.replace(/\/$/, '')
  const root = endpoint === undefined ? `https://${bucket}.s3.${region}.amazonaws.com` : `${endpoint}/${bucket}`
  const sessionToken = environment.AWS_SESSION_TOKEN
  const signature = awsSignature({
    accessKeyId: needed(environment, 'AWS_ACCESS_KEY_ID'),
    secretAccessKey: needed(environment, 'AWS_SECRET_ACCESS_KEY'),
    ...(sessionToken === undefined ? {} : { sessionToken }),
    service: 's3',
    region,
  })
  const folder = prefix === '' ? '' : `${prefix.replace(/\/$/, '')}/`
  const urlOf = (name: string): string => `${root}/${`${folder}${name}`.split('/').map(encodeURIComponent).join('/')}`

  /** Repeats a request while the storage is overloaded or broken, after pauses of random length whose limit doubles. */
  const send = async ({ url, method, body, headers: own }: Request): Promise<Response> => {
    for (let attempt = 0; ; attempt++) {
      const headers = { ...(await signature({ method, url, at: Date.now() })), ...own }
      try {
        const response = await fetch(url, { method, headers, ...(body === undefined ? {} : { body }) })
        if ((response.status < 500 && response.status !== 429) || attempt === retries) return response
        await response.body?.cancel().catch(() => undefined)
      } catch (error) {
        if (method === 'POST' || attempt >= connectionRetries) throw error
      }
      await sleep(Math.random() * firstPauseMs * 2 ** attempt)
    }
  }

  const ask = async (request: Request): Promise<Response> => {
    const { url, method, accepts = [] } = request
    const response = await send(request).catch((error: unknown) => {
      // "fetch failed" alone says neither where nor why.
      const why = reasonOf(error instanceof Error && error.cause instanceof Error ? error.cause : error)
      throw new Error(`The storage at ${new URL(url).host} cannot be reached: ${why}`, { cause: error })
    })
    if (response.ok || accepts.includes(response.status)) return response
    const [code = ''] = textsOf((await response.text()).slice(0, longestAnswer), 'Code')
    throw new Error(`The storage answered ${method} with ${response.status}${code === '' ? '' : ` (${code})`}.`)
  }
  const textFrom = async (request: Request): Promise<string> =>
    (await (await ask(request)).text()).slice(0, longestAnswer)

  const upload = async (name: string, bytes: Readable): Promise<void> => {
    const url = urlOf(name)
    const [id] = textsOf(await textFrom({ url: `${url}?uploads=`, method: 'POST' }), 'UploadId')
    if (id === undefined) throw new Error('The storage began no upload.')
    const upload = `uploadId=${encodeURIComponent(id)}`
    try {
      const tags: string[] = []
      for await (const part of partsOf(bytes)) {
        const number = tags.length + 1
        const { headers } = await ask({
          url: `${url}?partNumber=${number}&${upload}`,
          method: 'PUT',
          body: Buffer.from(part),
        })
        tags.push(headers.get('etag') ?? '')
      }
      const list = tags.map((tag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${tag}</ETag></Part>`)
      const done = await textFrom({
        url: `${url}?${upload}`,
        method: 'POST',
        body: `<CompleteMultipartUpload>${list.join('')}</CompleteMultipartUpload>`,
      })
      // A failure may come with the status of a success.
      if (done.includes('<Error>'))
        throw new Error(`The storage did not put the parts together (${textsOf(done, 'Code')[0]}).`)
    } catch (error) {
      await ask({ url: `${url}?${upload}`, method: 'DELETE' }).catch(() => undefined)
      throw error
    }
  }

  return {
    write: upload,
    async put(name, bytes) {
      const answer = await ask({ url: urlOf(name), method: 'PUT', body: Buffer.from(bytes) })
      await answer.arrayBuffer()
    },
    async readRange(name, { from, end }) {
      if (end <= from) return Buffer.alloc(0)
      const headers = { range: `bytes=${from}-${end - 1}` }
      const answer = await ask({ url: urlOf(name), method: 'GET', headers, accepts: [404, 416] })
      const bytes = Buffer.from(await answer.arrayBuffer())
      if (answer.status === 404) return undefined
      if (answer.status === 416) return Buffer.alloc(0)
      // Storage that knows no ranges sends everything.
      return answer.status === 206 ? bytes : bytes.subarray(from, end)
    },
    async read(name) {
      const { body } = await ask({ url: urlOf(name), method: 'GET' })
      if (body === null) throw new Error('The storage sent nothing.')
      return Readable.fromWeb(body as ReadableStream<Uint8Array>)
    },
    async names() {
      const names: string[] = []
      let more = ''
      do {
        const query = `list-type=2&prefix=${encodeURIComponent(folder)}${more}`
        const xml = await textFrom({ url: `${root}/?${query}`, method: 'GET' })
        names.push(...textsOf(xml, 'Key').map((key) => key.slice(folder.length)))
        const [token] = textsOf(xml, 'NextContinuationToken')
        more = token === undefined ? '' : `&continuation-token=${encodeURIComponent(token)}`
      } while (more !== '')
      return names
    },
    async remove(name) {
      const answer = await ask({ url: urlOf(name), method: 'DELETE', accepts: [404] })
      await answer.arrayBuffer()
    },
  }
}
