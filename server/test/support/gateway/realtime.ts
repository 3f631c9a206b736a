import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocket, WebSocketServer } from 'ws'
import { shut } from './listener.ts'

/** An upstream that has sessions as a test says, and clients of the gateway, for tests. */

type Event = Readonly<Record<string, unknown>>

export interface UpstreamSession {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly socket: WebSocket
  /** Texts as they came. */
  readonly received: string[]
  say(...events: readonly (Event | string)[]): void
  /** Resolves with the close code when the other side has gone. */
  readonly closed: Promise<number>
}

export interface TestRealtime {
  readonly url: string
  readonly sessions: UpstreamSession[]
  /** Paths of all handshakes. */
  readonly paths: string[]
  /** How handshakes are answered from now on; undefined accepts them, `silence` leaves them alone. */
  refusal: { readonly status: number; readonly body: unknown } | 'silence' | undefined
  /** Headers of accepted handshakes. */
  headers: readonly string[]
  /** Calls over WebRTC, and what is asked of them. */
  readonly posts: { readonly path: string; readonly type: string; readonly body: string; readonly key: string }[]
  /** Statuses that the next requests to hang up are answered with; 200 when none is left. */
  hungUp: number[]
  /** How an offer is answered from now on. */
  placed: { readonly status: number; readonly location: string; readonly body: string }
  /** Called for each event of a client. */
  answer: (event: Event, session: UpstreamSession) => void
  /** First events of a session. */
  greeting: readonly Event[]
  close(): Promise<void>
}

export const openTestRealtime = async (): Promise<TestRealtime> => {
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const { url: path = '', headers } = request
      const { 'content-type': type = '', authorization: key = '' } = headers
      opened.posts.push({ path, type, body: Buffer.concat(parts).toString(), key })
      const { status, location, body } = path.endsWith('/hangup')
        ? { status: opened.hungUp.shift() ?? 200, location: '', body: '' }
        : opened.placed
      response
        .writeHead(status, { 'content-type': 'application/sdp', ...(location === '' ? {} : { location }) })
        .end(body)
    })
  })
  const sockets = new WebSocketServer({ noServer: true, maxPayload: 0 })
  sockets.on('headers', (headers) => void headers.push(...opened.headers))
  const held = new Set<{ destroy(): void }>()
  server.on('upgrade', (request, socket, head) => {
    // A client that is refused may cut the connection, and nothing else listens for it here.
    socket.on('error', () => {})
    held.add(socket)
    opened.paths.push(request.url ?? '')
    const { refusal } = opened
    if (refusal === 'silence') return
    if (refusal !== undefined) {
      const body = JSON.stringify(refusal.body)
      const length = `Content-Length: ${Buffer.byteLength(body)}`
      socket.end(`HTTP/1.1 ${refusal.status} No\r\nContent-Type: application/json\r\n${length}\r\n\r\n${body}`)
      return
    }
    sockets.handleUpgrade(request, socket, head, (accepted) => {
      const session: UpstreamSession = {
        path: request.url ?? '',
        headers: request.headers,
        socket: accepted,
        received: [],
        say: (...events) => {
          for (const event of events) accepted.send(typeof event === 'string' ? event : JSON.stringify(event))
        },
        closed: new Promise((resolve) => accepted.on('close', resolve)),
      }
      opened.sessions.push(session)
      accepted.on('message', (data) => {
        session.received.push(data.toString())
        opened.answer(JSON.parse(data.toString()) as Event, session)
      })
      session.say(...opened.greeting)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const opened: TestRealtime = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sessions: [],
    paths: [],
    posts: [],
    hungUp: [],
    placed: { status: 201, location: '/v1/realtime/calls/rtc_1', body: 'v=0 answer' },
    refusal: undefined,
    headers: [],
    answer: () => {},
    greeting: [{ type: 'session.created', session: { type: 'realtime' } }],
    async close() {
      for (const socket of held) socket.destroy()
      await shut(server)
    },
  }
  return opened
}

export interface TestClient {
  readonly socket: WebSocket
  readonly events: Event[]
  readonly texts: string[]
  say(...events: readonly Event[]): void
  /** Resolves with the close code. */
  readonly closed: Promise<{ code: number; reason: string }>
  /** Resolves with the first event of a type that has not been waited for. */
  next(type: string): Promise<Event>
}

export interface Refusal {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Event
}

export interface Asking {
  readonly query?: string
  readonly key?: string
  readonly protocols?: readonly string[]
  readonly headers?: Readonly<Record<string, string>>
  /** True if it answers pings; it does unless it says otherwise. */
  readonly autoPong?: boolean
}

const dial = (gatewayUrl: string, asking: Asking): WebSocket => {
  const { query = '?model=gpt-realtime', key = 'sk-good', protocols = [], headers = {}, autoPong = true } = asking
  return new WebSocket(`${gatewayUrl.replace('http', 'ws')}/v1/realtime${query}`, [...protocols], {
    autoPong,
    headers: { ...(key === '' ? {} : { authorization: `Bearer ${key}` }), ...headers },
  })
}

/** A client whose session was accepted. */
export const openSession = (gatewayUrl: string, asking: Asking = {}): Promise<TestClient> =>
  new Promise((resolve, reject) => {
    const socket = dial(gatewayUrl, asking)
    const events: Event[] = []
    const texts: string[] = []
    const seen = new Set<Event>()
    let look = (): void => {}
    const client: TestClient = {
      socket,
      events,
      texts,
      say: (...sent) => {
        for (const event of sent) socket.send(JSON.stringify(event))
      },
      closed: new Promise((done) => {
        socket.on('close', (code, reason) => done({ code, reason: reason.toString() }))
      }),
      next: (type) =>
        new Promise((done) => {
          look = () => {
            const found = events.find((event) => event.type === type && !seen.has(event))
            if (found === undefined) return
            seen.add(found)
            look = () => {}
            done(found)
          }
          look()
        }),
    }
    socket.on('message', (data) => {
      texts.push(data.toString())
      events.push(JSON.parse(data.toString()) as Event)
      look()
    })
    socket.on('open', () => resolve(client))
    socket.on('error', reject)
  })

/** A client that is refused before its connection becomes a WebSocket. */
export const refusedSession = (gatewayUrl: string, asking: Asking = {}): Promise<Refusal> =>
  new Promise((resolve, reject) => {
    const socket = dial(gatewayUrl, asking)
    socket.on('open', () => reject(new Error('accepted')))
    socket.on('error', reject)
    socket.on('unexpected-response', (_, response) => {
      let body = ''
      response.on('data', (chunk) => (body += String(chunk)))
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: JSON.parse(body) as Event }),
      )
    })
  })

/** A response with a usage as OpenAI reports it. */
export const responseDone = (usage: unknown, id = 'resp_1'): Event => ({
  type: 'response.done',
  response: { id, object: 'realtime.response', status: 'completed', usage },
})

export const responseCreated = (id = 'resp_1'): Event => ({ type: 'response.created', response: { id } })
