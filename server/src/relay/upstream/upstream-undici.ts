import { subscribe } from 'node:diagnostics_channel'
import type { IncomingHttpHeaders } from 'node:http'
import { type Dispatcher, Pool, ProxyAgent, Socks5ProxyAgent } from 'undici'
import type { EgressGuard } from '../../lib/security/egress.ts'
import type {
  SocketEvents,
  SocketRequest,
  Upstream,
  UpstreamControl,
  UpstreamEvents,
  UpstreamSocket,
} from './upstream.ts'
import { sendOverSocket } from './upstream-socket.ts'
import { openWebSocket } from './web-socket.ts'

/** Milliseconds for which an idle connection is kept; upstreams may shorten it. */
const keepIdleMs = 15_000

const gone = new Error('the caller has gone')

/** Errors of an idle connection that its other side has closed. */
const closedCodes: ReadonlySet<string> = new Set(['ECONNRESET', 'ECONNABORTED', 'EPIPE', 'UND_ERR_SOCKET'])
/** Milliseconds. A request that fails later may have been processed, so that it must not be repeated silently. */
const closedWithinMs = 10_000

const isClosed = (error: Error): boolean => 'code' in error && closedCodes.has(String(error.code))

/** Asks once more over a fresh connection. */
type Repeat = (running: RunningRequest) => void

/** Connections that have carried a request. */
const used = new WeakSet<object>()
/** The request that undici begins to write. */
let writing: RunningRequest | undefined

// undici reports a request's socket right after its start event, in the same turn.
subscribe('undici:client:sendHeaders', (message) => {
  const request = writing
  writing = undefined
  const { socket } = message as { readonly socket?: unknown }
  if (request === undefined || typeof socket !== 'object' || socket === null) return
  if (used.has(socket)) request.onReused()
  else used.add(socket)
})

/**
 * One request: undici's events on one side, the relay's on the other. Servers close idle connections at any time, some of them with the
 * answer before; a request that meets such a connection is asked once more over a fresh one.
 */
class RunningRequest implements Dispatcher.DispatchHandler, UpstreamControl {
  private readonly events: UpstreamEvents
  private controller: Dispatcher.DispatchController | undefined
  private over = false
  private hasHead = false
  private startedAt = 0
  private isReused = false
  private repeat: Repeat | undefined

  constructor(events: UpstreamEvents, repeat: Repeat | undefined) {
    this.events = events
    this.repeat = repeat
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    writing = this
    // undici asks right before it writes: what is aborted here is never written.
    if (this.over) controller.abort(gone)
    else this.controller = controller
  }

  /** Its connection has carried another before. */
  onReused(): void {
    this.isReused = true
    this.startedAt = performance.now()
  }

  get sent(): boolean {
    return this.controller !== undefined
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    // 1xx are announcements, not answers.
    if (this.over || status < 200) return
    this.hasHead = true
    this.events.onHead(status, headers)
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    if (!this.over) this.events.onData(chunk)
  }

  onResponseEnd(): void {
    if (this.over) return
    this.over = true
    this.events.onEnd()
  }

  onResponseError(_: Dispatcher.DispatchController | undefined, error: Error): void {
    const { repeat } = this
    if (repeat !== undefined && !this.over && this.metClosed(error)) {
      this.repeat = undefined
      repeat(this)
    } else this.fail(error)
  }

  private metClosed(error: Error): boolean {
    return this.isReused && !this.hasHead && isClosed(error) && performance.now() - this.startedAt < closedWithinMs
  }

  pause(): void {
    this.controller?.pause()
  }

  resume(): void {
    this.controller?.resume()
  }

  abort(): void {
    if (this.over) return
    this.over = true
    this.controller?.abort(gone)
  }

  fail(error: Error): void {
    if (this.over) return
    this.over = true
    this.events.onError(error)
  }
}

const isSocketAddress = /^wss?:/i

const isSocks = (proxy: string): boolean => /^socks5h?:/i.test(proxy)

type Egress = Pick<EgressGuard, 'lookup' | 'assertLiteral'>

type Reached = Pick<SocketRequest, 'origin' | 'proxy' | 'timeouts'> & {
  /** A WebSocket needs the connection for itself, through a proxy too. */
  readonly socket: boolean
}

const openDispatcher = ({ origin, proxy, timeouts, socket }: Reached, egress: Egress | undefined): Dispatcher => {
  const pool = { pipelining: 1, keepAliveTimeout: keepIdleMs, connectTimeout: timeouts.connect, allowH2: false }
  if (isSocks(proxy)) return new Socks5ProxyAgent(proxy, { ...pool, connections: null })
  if (proxy !== '') return new ProxyAgent({ uri: proxy, ...pool, ...(socket ? { proxyTunnel: true } : {}) })
  if (egress === undefined) return new Pool(origin, pool)
  egress.assertLiteral(new URL(origin).hostname)
  return new Pool(origin, { ...pool, connect: { lookup: egress.lookup } })
}

/** In place of one that could not even be tried. */
const noSocket: UpstreamSocket = { waiting: 0, send() {}, pause() {}, resume() {}, ping() {}, close() {} }

/** Many channels with ever new addresses must not keep sockets for ever. */
const mostDispatchers = 500

/**
 * Upstreams over real connections: one pool per address, or per proxy; reused, never one per call. `egress`
 * resolves host names, so that an address can be refused at the moment it is connected to.
 */
export const openUndiciUpstream = ({ egress }: { egress?: Egress } = {}): Upstream & { close(): Promise<void> } => {
  const dispatchers = new Map<string, Dispatcher>()
  /** Each for one request. */
  const extra = new Set<Dispatcher>()

  const forgetOldest = (): void => {
    const [oldest] = dispatchers
    if (oldest === undefined) return
    dispatchers.delete(oldest[0])
    // Running requests end first.
    oldest[1].close().catch(() => {})
  }

  const dispatcherFor = (request: Reached): Dispatcher => {
    const { origin, proxy, socket } = request
    const name = proxy === '' ? origin : `${socket ? 'tunnel' : 'proxy'} ${proxy}`
    const open = dispatchers.get(name)
    if (open !== undefined) return open
    if (dispatchers.size >= mostDispatchers) forgetOldest()
    const fresh = openDispatcher(request, egress)
    dispatchers.set(name, fresh)
    return fresh
  }

  const connect = (request: SocketRequest, events: SocketEvents): UpstreamSocket => {
    try {
      // A WebSocket begins as an HTTP request.
      const origin = request.origin.replace(/^ws/i, 'http')
      return openWebSocket(request, events, dispatcherFor({ ...request, origin, socket: true }))
    } catch (error) {
      const reason = error instanceof Error ? error : new Error(String(error))
      // The caller gets its handle before the first event.
      queueMicrotask(() => events.onError(reason))
      return noSocket
    }
  }

  /** Other connections of the pool may have been closed as well. */
  const overFresh = (running: RunningRequest, reached: Reached, options: Dispatcher.DispatchOptions): void => {
    const fresh = openDispatcher(reached, egress)
    extra.add(fresh)
    fresh.dispatch(options, running)
    fresh.close().then(
      () => extra.delete(fresh),
      () => extra.delete(fresh),
    )
  }

  return {
    connect,
    send(request, events) {
      if (isSocketAddress.test(request.origin)) return sendOverSocket(request, events, connect)
      const options = {
        origin: request.origin,
        path: request.path,
        method: request.method,
        headers: request.headers,
        body: request.body ?? null,
        headersTimeout: request.timeouts.firstByte,
        bodyTimeout: request.timeouts.idle,
      }
      const { origin, proxy, timeouts } = request
      const reached = { origin, proxy, timeouts, socket: false }
      const mayRepeat = request.method === 'GET' || request.isRepeatable === true
      const running = new RunningRequest(events, mayRepeat ? (again) => overFresh(again, reached, options) : undefined)
      try {
        const open = proxy === '' ? dispatchers.get(origin) : undefined
        const dispatcher = open ?? dispatcherFor(reached)
        dispatcher.dispatch(options, running)
      } catch (error) {
        const reason = error instanceof Error ? error : new Error(String(error))
        // The caller gets its handle before the first event.
        queueMicrotask(() => running.fail(reason))
      }
      return running
    },
    close: async () => {
      const open = [...dispatchers.values(), ...extra]
      dispatchers.clear()
      await Promise.all(open.map((dispatcher) => dispatcher.destroy()))
    },
  }
}
