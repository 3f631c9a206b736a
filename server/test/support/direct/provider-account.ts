import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { asyncListener } from '../lib/async-listener.ts'

/** An object as the provider keeps it; `text` is what was sent to make it. */
interface KeptObject {
  readonly id: string
  readonly text: string
  readonly members: Readonly<Record<string, unknown>>
}

/**
 * One account of a provider with collections at any path, in OpenAI's form below `/v1` and in Google's below `/v1beta`, with Google's uploads
 * in parts below `/upload` and with the absolute addresses of results that Anthropic writes.
 */
export interface ProviderAccount {
  readonly url: string
  /** Method and path of what came, oldest first. */
  readonly received: string[]
  /** Headers of what came. */
  readonly headers: IncomingHttpHeaders[]
  /** Runs between the first line of results and the others. */
  between?: (() => Promise<void>) | undefined
  /** Members of the next objects that are made. */
  answer: Readonly<Record<string, unknown>>
  close(): Promise<void>
}

const textOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

const jsonIn = (text: string): Readonly<Record<string, unknown>> => {
  try {
    return JSON.parse(text) as Readonly<Record<string, unknown>>
  } catch {
    return {}
  }
}

/** Paths with an id of their own, the longest first. */
const nested = ['fine_tuning/jobs', 'messages/batches', 'batch/jobs', 'async/chat/completions', 'chat/completions']

/** Answers of models say what they used. */
const usageOf = (name: string) =>
  ['responses', 'chat/completions'].includes(name) ? { usage: { prompt_tokens: 1, completion_tokens: 1 } } : {}

const usualPage = 20

/** Opens an account. `prefixes` are those of ids by collection, as `file-` for `files`. */
export const openProviderAccount = async (
  prefixes: Readonly<Record<string, string>> = { files: 'file-', batches: 'batch_' },
): Promise<ProviderAccount> => {
  const kept = new Map<string, Map<string, KeptObject>>()
  const received: string[] = []
  const headers: IncomingHttpHeaders[] = []
  let last = 0

  const collectionAt = (path: string) => {
    const rest = path
      .replace(/^\/(?:(?:upload\/|openai\/)?v1(?:beta)?|openai)\//, '')
      .replace(/^models\/.*:batchGenerateContent$/, 'batches')
    const name = nested.find((one) => rest === one || rest.startsWith(`${one}/`)) ?? rest.split('/')[0] ?? ''
    const [id, ...below] = rest.slice(name.length + 1).split('/')
    return { name, id: id === '' ? undefined : id?.replace(/(?<!^ft):[a-zA-Z]*$/, ''), below: below.join('/') }
  }

  const send = (response: ServerResponse, status: number, body: unknown): void => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }

  const printed = (isGoogle: boolean, name: string, { id, text, members }: KeptObject) =>
    isGoogle
      ? { name: `${name}/${id}`, displayName: text.slice(0, 2000), ...members }
      : { id, object: name, created_at: 1, filename: text.slice(0, 2000), ...usageOf(name), ...members }

  const list = (response: ServerResponse, isGoogle: boolean, name: string, query: URLSearchParams): void => {
    const all = [...(kept.get(name)?.values() ?? [])].reverse()
    const after = query.get('after') ?? query.get('after_id') ?? query.get('pageToken')
    const start = after === null ? 0 : all.findIndex(({ id }) => id === after) + 1
    const limit = Number(query.get('limit') ?? query.get('pageSize') ?? usualPage)
    const page = all.slice(start, start + limit)
    const data = page.map((object) => printed(isGoogle, name, object))
    const more = all.length > start + limit
    const ends = { first_id: page[0]?.id ?? null, last_id: page.at(-1)?.id ?? null }
    const answer = isGoogle
      ? { [name]: data, ...(more ? { nextPageToken: page.at(-1)?.id } : {}) }
      : { object: 'list', data, has_more: more, ...ends }
    send(response, 200, answer)
  }

  const uploads = new Map<string, string>()

  /** Parts of a file: the first request has its description, and gets the address of the others. */
  const upload = (response: ServerResponse, command: string, id: string | null, text: string): void => {
    if (command === 'start') {
      const made = `up-${randomUUID()}`
      uploads.set(made, '')
      const address = `${account.url}/upload/v1beta/files?upload_id=${made}&upload_protocol=resumable`
      response.writeHead(200, { 'x-goog-upload-url': address, 'x-goog-upload-status': 'active' }).end()
      return
    }
    const before = uploads.get(id ?? '')
    if (before === undefined || id === null) {
      send(response, 404, { error: { message: 'no such upload' } })
      return
    }
    uploads.set(id, before + text)
    if (!command.includes('finalize')) {
      response.writeHead(200, { 'x-goog-upload-status': 'active' }).end()
      return
    }
    last += 1
    const object = { id: `f${last}`, text: before + text, members: {} }
    kept.set('files', (kept.get('files') ?? new Map<string, KeptObject>()).set(object.id, object))
    response.setHeader('x-goog-upload-status', 'final')
    const uri = `${account.url}/v1beta/files/${object.id}`
    const file = { ...printed(true, 'files', object), uri, downloadUri: `${uri}:download?alt=media` }
    send(response, 200, { file })
  }

  const server = createServer(
    asyncListener(async (request, response) => {
      const text = await textOf(request)
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://provider')
      received.push(`${request.method} ${pathname}`)
      headers.push(request.headers)
      const isGoogle = pathname.includes('/v1beta/')
      const { name, id, below } = collectionAt(pathname)
      const objects = kept.get(name) ?? new Map<string, KeptObject>()
      kept.set(name, objects)
      const command = String(request.headers['x-goog-upload-command'] ?? '')
      if (command !== '') return upload(response, command, searchParams.get('upload_id'), text)
      if (id === undefined && request.method === 'GET') return list(response, isGoogle, name, searchParams)
      if (id === undefined) {
        last += 1
        const made = `${prefixes[name] ?? `${name.replace(/\W/g, '_')}_`}${String(last).padStart(8, '0')}`
        const members =
          name === 'batches' && !isGoogle
            ? { output_file_id: `file-out${made}`, ...jsonIn(text) }
            : name === 'messages/batches'
              ? { processing_status: 'ended', results_url: `${account.url}${pathname}/${made}/results` }
              : {}
        if (name === 'batches') {
          const files = kept.get('files') ?? new Map<string, KeptObject>()
          kept.set('files', files)
          files.set(`file-out${made}`, { id: `file-out${made}`, text: `results of ${text}`, members: {} })
        }
        const object = { id: made, text, members: { ...members, ...account.answer } }
        objects.set(made, object)
        const answer = printed(isGoogle, name, object)
        return send(response, 200, isGoogle && name === 'files' ? { file: answer } : answer)
      }
      const object = objects.get(id)
      if (object !== undefined && below === 'results') {
        response.writeHead(200, { 'content-type': 'application/x-jsonl' })
        const line = (custom: string) => `${JSON.stringify({ custom_id: custom, result: { type: 'canceled' } })}\n`
        response.write(line('first'))
        await account.between?.()
        return void response.end(line(object.text.slice(0, 500)))
      }
      if (object === undefined)
        return send(response, 404, { error: { message: `no ${id}`, type: 'invalid_request_error' } })
      if (request.method === 'DELETE' && below === '') {
        objects.delete(id)
        return send(response, 200, { id, object: name, deleted: true })
      }
      if (below === 'content') return void response.writeHead(200, { 'content-type': 'text/plain' }).end(object.text)
      send(response, 200, printed(isGoogle, name, object))
    }),
  )
  server.keepAliveTimeout = 600_000
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const account: ProviderAccount = {
    answer: {},
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    headers,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return account
}
