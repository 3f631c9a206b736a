import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { asyncListener } from '../lib/async-listener.ts'

/** A Midjourney proxy and a Suno API in one, on a real port, for tests: tasks stay as they are until a test moves them. */
export interface TestService {
  readonly url: string
  /** Tasks as the service tells them, by id. */
  readonly tasks: Map<string, Record<string, unknown>>
  /** Paths that were called, with the key that was shown. */
  readonly queries: { readonly path: string; readonly key: string; readonly ids: readonly string[] }[]
  /** Answers nothing but this status from now on; undefined ends that. */
  broken: number | undefined
  /** Answer of the next submission, once; otherwise the task is accepted. */
  refusal: Record<string, unknown> | undefined
  /** Returns a task with these fields from now on. */
  move(id: string, more: Record<string, unknown>): void
  close(): Promise<void>
}

const bodyOf = async (request: IncomingMessage): Promise<Record<string, unknown>> => {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  const text = Buffer.concat(parts).toString()
  return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>)
}

const idsOf = ({ ids }: Record<string, unknown>): string[] => (Array.isArray(ids) ? ids.map(String) : [])

/** One green pixel. */
export const pictureBytes = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M/wHwAEBgIApD5fRAAAAABJRU5ErkJggg==',
  'base64',
)

export const openTestService = async (): Promise<TestService> => {
  let count = 0
  const service: Omit<TestService, 'url' | 'close'> & { refusal: TestService['refusal'] } = {
    tasks: new Map(),
    queries: [],
    broken: undefined,
    refusal: undefined,
    move(id, more) {
      service.tasks.set(id, { ...service.tasks.get(id), ...more })
    },
  }

  const begin = (path: string): Record<string, unknown> => {
    const { refusal } = service
    service.refusal = undefined
    if (refusal !== undefined) return refusal
    count += 1
    const id = `${Date.now()}${count}`
    if (path.startsWith('/suno/')) {
      service.tasks.set(id, { task_id: id, status: 'SUBMITTED', fail_reason: '', data: null })
      return { code: 'success', message: '', data: id }
    }
    service.tasks.set(id, { id, status: 'SUBMITTED', progress: '0%', failReason: null, imageUrl: '' })
    return { code: 1, description: '提交成功', result: id, properties: {} }
  }

  const answer = (path: string, body: Record<string, unknown>): unknown => {
    if (path.endsWith('/image-seed')) return { code: 1, description: 'ok', result: '4242' }
    const tasks = idsOf(body).flatMap((id) => service.tasks.get(id) ?? [])
    if (path === '/mj/task/list-by-condition') return tasks
    if (path === '/suno/fetch') return { code: 'success', message: '', data: tasks }
    return begin(path)
  }

  const server = createServer(
    { keepAliveTimeout: 0 },
    asyncListener(async (request, response) => {
      const path = request.url ?? ''
      const body = await bodyOf(request)
      if (path === '/picture.png') {
        response.writeHead(200, { 'content-type': 'image/png' }).end(pictureBytes)
        return
      }
      const key = String(request.headers['mj-api-secret'] ?? request.headers.authorization ?? '')
      service.queries.push({ path, key, ids: idsOf(body) })
      response.writeHead(service.broken ?? 200, { 'content-type': 'application/json' })
      response.end(service.broken === undefined ? JSON.stringify(answer(path, body)) : '{"message":"out of order"}')
    }),
  ).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return Object.assign(service, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  })
}
