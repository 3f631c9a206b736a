import type {
  SocketEvents,
  SocketRequest,
  UpstreamControl,
  UpstreamEvents,
  UpstreamRequest,
  UpstreamSocket,
} from './upstream.ts'

/** Has the code of undici's time-outs, so that it counts as one. */
const timeoutError = (code: 'UND_ERR_HEADERS_TIMEOUT' | 'UND_ERR_BODY_TIMEOUT'): Error =>
  Object.assign(new Error('the WebSocket was silent for too long'), { code })

const asEvent = (message: string): Buffer =>
  Buffer.from(
    `${message
      .split(/\r?\n/)
      .map((line) => `data: ${line}`)
      .join('\n')}\n\n`,
  )

/** A normal close, and one without a status. */
const calmCloses: ReadonlySet<number> = new Set([1000, 1005])

/**
 * Sends one message over a WebSocket and passes on what comes back as server-sent events, one for each message, until the last
 * one or the upstream's close. A refused handshake is an answer with a status and a body.
 */
class SingleMessage implements UpstreamControl, SocketEvents {
  private readonly request: UpstreamRequest
  private readonly events: UpstreamEvents
  private readonly socket: UpstreamSocket
  private timer: NodeJS.Timeout | undefined
  private over = false
  sent = false

  constructor(request: UpstreamRequest, events: UpstreamEvents, connect: Connect) {
    this.request = request
    this.events = events
    this.wait('UND_ERR_HEADERS_TIMEOUT', request.timeouts.firstByte)
    this.socket = connect(request, this)
  }

  /** An answer is short. */
  pause(): void {}
  resume(): void {}

  abort(): void {
    this.settle()
    this.socket.close()
  }

  onOpen(): void {
    if (this.over) return
    this.events.onHead(200, { 'content-type': 'text/event-stream' })
    this.sent = true
    this.socket.send(this.request.body?.toString() ?? '')
  }

  onRefused(...[status, headers, body]: Parameters<SocketEvents['onRefused']>): void {
    if (this.over) return
    this.events.onHead(status, headers)
    if (!this.over) this.events.onData(body)
    this.end()
  }

  onMessage(received: string | Buffer): void {
    if (this.over) return
    this.wait('UND_ERR_BODY_TIMEOUT', this.request.timeouts.idle)
    const message = typeof received === 'string' ? received : ''
    this.events.onData(asEvent(message))
    if (this.over || !this.request.isLast?.(message)) return
    this.end()
    this.socket.close(1000)
  }

  onClose(code: number, reason: string): void {
    if (calmCloses.has(code)) this.end()
    else this.onError(new Error(`the WebSocket was closed with ${code} ${reason}`.trim()))
  }

  onError(error: Error): void {
    if (this.settle()) this.events.onError(error)
  }

  private end(): void {
    if (this.settle()) this.events.onEnd()
  }

  /** True if it was not over before. */
  private settle(): boolean {
    const before = this.over
    this.over = true
    clearTimeout(this.timer)
    return !before
  }

  private wait(code: Parameters<typeof timeoutError>[0], ms: number): void {
    clearTimeout(this.timer)
    if (ms === 0) return
    this.timer = setTimeout(() => {
      this.onError(timeoutError(code))
      this.socket.close()
    }, ms)
  }
}

type Connect = (request: SocketRequest, events: SocketEvents) => UpstreamSocket

/** A call that is answered over a WebSocket, presented like one over HTTP. */
export const sendOverSocket = (request: UpstreamRequest, events: UpstreamEvents, connect: Connect): UpstreamControl =>
  new SingleMessage(request, events, connect)
