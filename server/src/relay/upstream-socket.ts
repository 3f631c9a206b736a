import { type Dispatcher, WebSocket } from 'undici'
import type { UpstreamControl, UpstreamEvents, UpstreamRequest } from './upstream.ts'

type Handler = Dispatcher.DispatchHandler

/** Errors in the words of undici's requests, so that they count as what they are. */
const timeoutError = (code: 'UND_ERR_HEADERS_TIMEOUT' | 'UND_ERR_BODY_TIMEOUT'): Error =>
  Object.assign(new Error('the WebSocket was silent for too long'), { code })

const asEvent = (message: string): Buffer =>
  Buffer.from(
    `${message
      .split(/\r?\n/)
      .map((line) => `data: ${line}`)
      .join('\n')}\n\n`,
  )

/** Normal, and nothing said. */
const calmCloses: ReadonlySet<number> = new Set([1000, 1005])

/**
 * Sends one message over a WebSocket and tells what comes back as server-sent events, one for each message, until the last
 * one or the upstream's close. A refused handshake is an answer with a status and a body.
 */
class Socket implements UpstreamControl {
  private readonly request: UpstreamRequest
  private readonly events: UpstreamEvents
  private readonly socket: WebSocket
  private timer: NodeJS.Timeout | undefined
  private over = false

  constructor(request: UpstreamRequest, events: UpstreamEvents, dispatcher: Dispatcher) {
    this.request = request
    this.events = events
    const { origin, path, headers } = request
    this.wait('UND_ERR_HEADERS_TIMEOUT', request.timeouts.firstByte)
    this.socket = new WebSocket(`${origin}${path}`, { headers, dispatcher: this.watched(dispatcher) })
    this.socket.addEventListener('open', () => {
      if (this.over) return
      events.onHead(200, { 'content-type': 'text/event-stream' })
      this.socket.send(request.body?.toString() ?? '')
    })
    this.socket.addEventListener('message', ({ data }) => this.take(String(data)))
    this.socket.addEventListener('close', ({ code, reason }) => this.closed(code, reason))
    this.socket.addEventListener('error', ({ error }) => {
      this.fail(error instanceof Error ? error : new Error('the WebSocket broke'))
    })
  }

  /** Messages cannot be held back. */
  pause(): void {}
  resume(): void {}

  abort(): void {
    this.settle()
    this.socket.close()
  }

  private take(message: string): void {
    if (this.over) return
    this.wait('UND_ERR_BODY_TIMEOUT', this.request.timeouts.idle)
    this.events.onData(asEvent(message))
    if (this.over || !this.request.isLast?.(message)) return
    this.settle()
    this.socket.close(1000)
    this.events.onEnd()
  }

  private closed(code: number, reason: string): void {
    if (!calmCloses.has(code)) this.fail(new Error(`the WebSocket was closed with ${code} ${reason}`.trim()))
    if (this.over) return
    this.settle()
    this.events.onEnd()
  }

  private fail(error: Error): void {
    if (this.over) return
    this.settle()
    this.events.onError(error)
  }

  private settle(): void {
    this.over = true
    clearTimeout(this.timer)
  }

  private wait(code: Parameters<typeof timeoutError>[0], ms: number): void {
    clearTimeout(this.timer)
    if (ms === 0) return
    this.timer = setTimeout(() => {
      this.fail(timeoutError(code))
      this.socket.close()
    }, ms)
  }

  /** The WebSocket itself does not say why its handshake failed; the connection does. */
  private watched(dispatcher: Dispatcher): Dispatcher {
    return dispatcher.compose((dispatch) => (options, handler) => dispatch(options, this.handshake(handler)))
  }

  private handshake(handler: Handler): Handler {
    return {
      onRequestStart: (controller, context) => handler.onRequestStart?.(controller, context),
      onRequestUpgrade: (controller, status, headers, socket) =>
        handler.onRequestUpgrade?.(controller, status, headers, socket),
      onResponseStart: (_, status, headers) => {
        if (!this.over && status >= 200) this.events.onHead(status, headers)
      },
      onResponseData: (_, chunk) => {
        if (!this.over) this.events.onData(chunk)
      },
      onResponseEnd: (controller) => {
        if (!this.over) {
          this.settle()
          this.events.onEnd()
        }
        handler.onResponseError?.(controller, new Error('the handshake was refused'))
      },
      onResponseError: (controller, error) => {
        this.fail(error)
        handler.onResponseError?.(controller, error)
      },
    }
  }
}

export const isSocketAddress = (origin: string): boolean => /^wss?:/i.test(origin)

/** `dispatcher` reaches the host with its proxy and its egress rules. */
export const openSocket = (request: UpstreamRequest, events: UpstreamEvents, dispatcher: Dispatcher): UpstreamControl =>
  new Socket(request, events, dispatcher)
