import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import { AppError } from '../../lib/app-error.ts'
import { exceededBound, type JsonBounds } from '../../lib/json/json-bounds.ts'
import type { ClientEvents, ClientSocket } from '../../relay/realtime/ports.ts'
import { FrameMeter } from './frame-meter.ts'
import { ofSocket, type SocketPlace } from './socket-places.ts'

/** Limits of a client's WebSocket. */
export interface SocketBounds {
  readonly bounds: JsonBounds
  /** Most bytes of a message. */
  readonly maxRequestBytes: number
  /** Milliseconds from the first byte of a message to its last; 30,000 where it is absent. */
  readonly messageMs?: number | undefined
  /** True where binary messages are texts, too. */
  readonly takesBinary?: true
}

/** Bytes. Shorter messages are too small to block the thread when they are parsed. */
const scannedFrom = 64 * 1024

/** True if a message is within the bounds of bodies, since it is parsed in the main thread. Sound is one long text. */
const fitsBounds = (message: Buffer, bounds: JsonBounds): boolean =>
  message.length < scannedFrom || exceededBound(message, bounds) === undefined

/** Milliseconds between pings; a client that does not answer one is gone. */
const pingMs = 30_000
/** Milliseconds that a client has to close its side, and a refused one to read the reason. */
const closeTimeoutMs = 5000
const refusedTimeoutMs = 2000
const defaultMessageMs = 30_000

/** The connection broke without a close frame. */
const broken = 1006
/** Closes of RFC 6455 §7.4.1 and the list of the IANA: a message is too large; try again later. */
export const tooBig = 1009
export const tryAgainLater = 1013
const policy = 1008

/** Bytes that may wait for a client without being counted. */
const littleWaiting = 64 * 1024

/** A client's WebSocket. Its unfinished messages and unread output count in its memory share. */
export class AcceptedSocket implements ClientSocket {
  private readonly socket: WebSocket
  private readonly connection: Duplex
  private readonly events: ClientEvents
  private readonly place: SocketPlace
  private readonly limits: SocketBounds
  private readonly pinging: NodeJS.Timeout
  private readonly meter = new FrameMeter()
  private isThere = true
  private isRefused = false
  /** Bytes of whole messages that their listeners still use. */
  private kept = 0
  private unfinished: NodeJS.Timeout | undefined

  constructor(
    { socket, connection }: { readonly socket: WebSocket; readonly connection: Duplex },
    events: ClientEvents,
    place: SocketPlace,
    limits: SocketBounds,
  ) {
    this.socket = socket
    this.connection = connection
    this.events = events
    this.place = place
    this.limits = limits
    // The first listener counts bytes before they are stored, the last one the rest after their messages were delivered.
    connection.prependListener('data', this.came)
    connection.on('data', this.told)
    socket.on('message', (data, isBinary) => {
      this.isThere = true
      if (this.isRefused) return
      // Messages come as one buffer unless one asks for something else.
      const isText = !isBinary || limits.takesBinary === true
      const isUsable = isText && Buffer.isBuffer(data) && fitsBounds(data, limits.bounds)
      events.onMessage(isUsable ? data.toString() : undefined)
    })
    socket.on('pong', () => {
      this.isThere = true
    })
    socket.on('close', (code) => {
      clearInterval(this.pinging)
      clearTimeout(this.unfinished)
      place.leave()
      events.onClose(code)
    })
    // A client that breaks the protocol has been sent a close frame already.
    socket.on('error', () => events.onClose(broken))
    this.pinging = setInterval(() => this.ask(), pingMs)
  }

  get waiting(): number {
    return this.socket.bufferedAmount
  }

  send(message: string | Buffer): void {
    this.socket.send(message, this.sent)
    if (this.waiting > littleWaiting) this.count(this.meter.unfinished)
  }

  keep(bytes: number): void {
    this.kept = bytes
    this.count(this.meter.unfinished)
  }

  pause(): void {
    this.socket.pause()
    clearTimeout(this.unfinished)
    this.unfinished = undefined
  }

  resume(): void {
    this.isThere = true
    this.socket.resume()
    this.expectRest()
  }

  close(code: number, reason: string, last?: string): void {
    if (last !== undefined) this.socket.send(last, () => {})
    this.socket.close(code, reason)
    this.socket.resume()
    // A close frame of its own would not be read any more.
    if (this.isRefused) this.connection.end()
    const timer = setTimeout(() => this.socket.terminate(), this.isRefused ? refusedTimeoutMs : closeTimeoutMs).unref()
    this.socket.once('close', () => clearTimeout(timer))
  }

  abandon(): void {
    this.socket.terminate()
  }

  private readonly sent = (): void => {
    this.count(this.meter.unfinished)
    this.events.onDrained()
  }

  private readonly came = (chunk: Buffer): void => {
    const { meter, limits } = this
    const before = meter.unfinished
    const { finished } = meter
    meter.take(chunk)
    if (meter.announced > limits.maxRequestBytes) {
      const megabytes = Math.floor((limits.maxRequestBytes / 1024 / 1024) * 100) / 100
      this.refuse(new AppError('body_too_large', { params: { megabytes } }), tooBig)
      return
    }
    // Counts the whole chunk, even if its messages are complete: they stay in memory until they were delivered.
    this.count(Math.max(meter.unfinished, before + chunk.length))
    if (meter.finished === finished) return
    clearTimeout(this.unfinished)
    this.unfinished = undefined
  }

  private readonly told = (): void => {
    this.count(this.meter.unfinished)
    this.expectRest()
  }

  /** Ends the session when the rest of a message does not arrive in time. */
  private expectRest(): void {
    if (!this.meter.isUnder || this.unfinished !== undefined || this.isRefused || this.socket.isPaused) return
    const late = (): void => this.refuse(new AppError('message_unfinished'), policy)
    this.unfinished = setTimeout(late, this.limits.messageMs ?? defaultMessageMs)
  }

  private count(incoming: number): void {
    if (this.isRefused || this.socket.readyState === this.socket.CLOSED) return
    const { waiting } = this
    try {
      this.place.share.hold(ofSocket + incoming + this.kept + (waiting > littleWaiting ? waiting : 0))
    } catch (error) {
      this.refuse(error instanceof AppError ? error : new AppError('internal_error', { cause: error }), tryAgainLater)
    }
  }

  /** Stops reading and closes the socket with the reason. */
  private refuse(error: AppError, code: number): void {
    if (this.isRefused) return
    this.isRefused = true
    clearTimeout(this.unfinished)
    this.connection.removeAllListeners('data')
    this.connection.on('data', () => {})
    this.connection.resume()
    setTimeout(() => this.socket.terminate(), closeTimeoutMs).unref()
    this.events.onRefused(error, code)
  }

  private ask(): void {
    // The pong of a client that is paused would not be read.
    if (this.socket.isPaused) return
    if (!this.isThere) {
      this.socket.terminate()
      return
    }
    this.isThere = false
    this.socket.ping()
  }
}
