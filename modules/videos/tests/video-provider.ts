import type { IncomingMessage } from 'node:http'
import { listen, shut } from '#server-test/support/gateway/listener.ts'
import { asyncListener } from '#server-test/support/lib/async-listener.ts'

/** A request that the provider has got. */
export interface ReceivedRequest {
  readonly method: string
  /** With its query. */
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly bytes: Buffer
  /** undefined where the body is no JSON. */
  readonly json: unknown
}

export interface FakeAnswer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly json?: unknown
  readonly bytes?: Buffer
  /** The connection is broken off without an answer. */
  readonly breaks?: true
}

export type FakeRoute = FakeAnswer | ((request: ReceivedRequest) => FakeAnswer | Promise<FakeAnswer>)

/** A provider of videos that answers by method and path as its documentation says, for tests. */
export const openFakeProvider = async () => {
  const received: ReceivedRequest[] = []
  const routes = new Map<string, FakeRoute>()
  const { server, url } = await listen(
    asyncListener(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      const bytes = Buffer.concat(chunks)
      const { method = '', url: path = '', headers } = request
      let json: unknown
      try {
        json = JSON.parse(bytes.toString())
      } catch {
        json = undefined
      }
      const got = { method, path, headers, bytes, json }
      received.push(got)
      const route = routes.get(`${method} ${path.split('?')[0]}`) ?? { status: 404, json: { error: { message: 'no' } } }
      const answer = typeof route === 'function' ? await route(got) : route
      if (answer.breaks) {
        request.socket.destroy()
        return
      }
      const body = answer.bytes ?? Buffer.from(JSON.stringify(answer.json ?? {}))
      const type = answer.bytes === undefined ? 'application/json' : 'video/mp4'
      response.writeHead(answer.status ?? 200, {
        'content-type': type,
        'content-length': body.length,
        ...answer.headers,
      })
      response.end(body)
    }),
  )
  return {
    url,
    received,
    routes,
    /** Method and path of what came, oldest first. */
    asked: (): string[] => received.map(({ method, path }) => `${method} ${path}`),
    close: () => shut(server),
  }
}

export type FakeProvider = Awaited<ReturnType<typeof openFakeProvider>>
