import type { Duplex } from 'node:stream'
import { type Dispatcher, ping, WebSocket } from 'undici'
import type { SocketEvents, SocketRequest, UpstreamSocket } from './upstream.ts'

type Handler = Dispatcher.DispatchHandler
type Head = Parameters<SocketEvents['onRefused']>

/** Bytes of a refusal's body that are read. */
const largestRefusal = 1024 * 1024

/** Milliseconds that the other side has to answer a close frame. */
const closeTimeoutMs = 5000

/** A WebSocket to an upstream. A refused handshake is passed on with its status and body, a broken one with its error. */
class Connection implements UpstreamSocket {
  private readonly events: SocketEvents
  private readonly socket: WebSocket
  /** undici's WebSocket cannot be paused; its socket can. */
  private wire: Duplex | undefined
  private opened: Head[1] = {}
  private isHeld = false
  private over = false

  constructor(request: SocketRequest, events: SocketEvents, dispatcher: Dispatcher) {
    this.events = events
    const { origin, path, headers } = request
    this.socket = new WebSocket(`${origin}${path}`, { headers: { ...headers }, dispatcher: this.watched(dispatcher) })
    this.socket.binaryType = 'arraybuffer'
    this.socket.addEventListener('open', () => {
      if (!this.over) events.onOpen(this.opened)
    })
    this.socket.addEventListener('message', ({ data }) => {
      if (!this.over) events.onMessage(typeof data === 'string' ? data : Buffer.from(data))
    })
    this.socket.addEventListener('close', ({ code, reason }) => {
      if (this.settle()) events.onClose(code, reason)
    })
    this.socket.addEventListener('error', ({ error }) => {
      this.fail(error instanceof Error ? error : new Error('the WebSocket broke'))
    })
  }

  get waiting(): number {
    return this.socket.bufferedAmount
  }

  send(message: string): void {
    if (!this.over) this.socket.send(message)
  }

  pause(): void {
    this.isHeld = true
    this.wire?.pause()
  }

  resume(): void {
    this.isHeld = false
    this.wire?.resume()
  }

  ping(): void {
    if (!this.over) ping(this.socket)
  }

  close(code?: number): void {
    if (!this.settle()) return
    this.socket.close(code)
    const { wire } = this
    if (wire === undefined) return
    // A close frame can only be read while the socket is not paused; there is no wait for one that never comes.
    this.resume()
    const timer = setTimeout(() => wire.destroy(), closeTimeoutMs).unref()
    wire.once('close', () => clearTimeout(timer))
  }

  private fail(error: Error): void {
    if (this.settle()) this.events.onError(error)
  }

  /** True if it was not over before. */
  private settle(): boolean {
    const before = this.over
    this.over = true
    return !before
  }

  /** The WebSocket does not report why its handshake failed; the connection does. */
  private watched(dispatcher: Dispatcher): Dispatcher {
    return dispatcher.compose((dispatch) => (options, handler) => dispatch(options, this.handshake(handler)))
  }

  /** undici resumes reading after it has decompressed a message, even if the socket was paused meanwhile. */
  private holdable(wire: Duplex): Duplex {
    const resume = wire.resume.bind(wire)
    wire.resume = () => (this.isHeld ? wire : resume())
    return wire
  }

  private handshake(handler: Handler): Handler {
    let head: { status: number; headers: Head[1] } | undefined
    const body: Buffer[] = []
    let size = 0
    const refuse = (): void => {
      if (head !== undefined && this.settle()) {
        this.events.onRefused(head.status, head.headers, Buffer.concat(body).subarray(0, largestRefusal))
      }
    }
    return {
      onRequestStart: (controller, context) => handler.onRequestStart?.(controller, context),
      onRequestUpgrade: (controller, status, headers, socket) => {
        this.wire = this.holdable(socket)
        this.opened = headers ?? {}
        handler.onRequestUpgrade?.(controller, status, headers, socket)
      },
      onResponseStart: (_, status, headers) => {
        if (status >= 200) head = { status, headers }
      },
      onResponseData: (controller, chunk) => {
        size += chunk.length
        body.push(chunk)
        if (size <= largestRefusal) return
        refuse()
        controller.abort(new Error('the refusal is too large'))
      },
      onResponseEnd: (controller) => {
        refuse()
        handler.onResponseError?.(controller, new Error('the handshake was refused'))
      },
      onResponseError: (controller, error) => {
        this.fail(error)
        handler.onResponseError?.(controller, error)
      },
    }
  }
}

/** `dispatcher` reaches the host with its proxy and its egress rules. */
export const openWebSocket = (request: SocketRequest, events: SocketEvents, dispatcher: Dispatcher): UpstreamSocket =>
  new Connection(request, events, dispatcher)
