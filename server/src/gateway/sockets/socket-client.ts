import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { WebSocket, WebSocketServer } from 'ws'
import { exceededBound, type JsonBounds } from '../../lib/json/json-bounds.ts'
import type { ClientEvents, ClientSocket, RealtimeClient } from '../../relay/realtime/ports.ts'

interface ClientParts {
  readonly request: IncomingMessage
  readonly id: string
  readonly socket: Duplex
  readonly head: Buffer
  readonly sockets: () => WebSocketServer
  readonly bounds: JsonBounds
  /** True where binary messages are texts, too. */
  readonly takesBinary?: true
}

/** Bytes. A client has no reason to send anything before it is accepted. */
const mostEarly = 64 * 1024

/** Bytes. Shorter messages hold too little to keep anything waiting. */
const scannedFrom = 64 * 1024

/** Whether a message holds no more than a body may: it is parsed in the main thread. Sound is one long text. */
const fitsBounds = (message: Buffer, bounds: JsonBounds): boolean =>
  message.length < scannedFrom || exceededBound(message, bounds) === undefined

/** A client that waits for its connection to become a WebSocket. */
export class RealtimeSocketClient implements RealtimeClient {
  gone = false
  private readonly parts: ClientParts
  private early: Buffer[]
  private size = 0
  private goneListener = (): void => {}
  private acceptedListener = (): void => {}

  constructor(parts: ClientParts) {
    this.parts = parts
    this.early = [parts.head]
    const { socket } = parts
    // Only who reads notices that the other side has gone.
    socket.on('data', this.take)
    socket.on('end', this.leave)
    socket.on('close', this.leave)
    socket.on('error', this.leave)
  }

  whenGone(listener: () => void): void {
    this.goneListener = listener
    if (this.gone) listener()
  }

  whenAccepted(listener: () => void): void {
    this.acceptedListener = listener
  }

  /** Throws when it has gone. */
  accept(events: ClientEvents): ClientSocket {
    const { request, id } = this.parts
    const sockets = this.parts.sockets()
    let accepted: WebSocket | undefined
    const name = (headers: string[]): void => {
      headers.push(`X-Oneapi-Request-Id: ${id}`)
    }
    sockets.once('headers', name)
    sockets.handleUpgrade(request, this.back(), Buffer.concat(this.early), (socket) => {
      accepted = socket
    })
    sockets.removeListener('headers', name)
    this.early = []
    if (accepted === undefined) throw new Error('the WebSocket was refused')
    this.acceptedListener()
    return new AcceptedSocket(accepted, events, this.parts)
  }

  /** The bare connection, to be answered in another way. */
  back(): Duplex {
    const { socket } = this.parts
    socket.removeListener('data', this.take)
    socket.removeListener('end', this.leave)
    socket.removeListener('close', this.leave)
    return socket
  }

  private readonly take = (chunk: Buffer): void => {
    this.size += chunk.length
    this.early.push(chunk)
    if (this.size > mostEarly) this.parts.socket.destroy()
  }

  private readonly leave = (): void => {
    if (this.gone) return
    this.gone = true
    this.parts.socket.destroy()
    this.goneListener()
  }
}

/** Milliseconds between pings; a client that does not answer one is gone. */
const pingMs = 30_000
/** Milliseconds that a client has to close its side. */
const closeTimeoutMs = 5000

/** The connection broke without a close frame. */
const broken = 1006

class AcceptedSocket implements ClientSocket {
  private readonly socket: WebSocket
  private readonly events: ClientEvents
  private readonly pinging: NodeJS.Timeout
  private isThere = true

  constructor(socket: WebSocket, events: ClientEvents, { bounds, takesBinary }: ClientParts) {
    this.socket = socket
    this.events = events
    socket.on('message', (data, isBinary) => {
      this.isThere = true
      // Messages come as one buffer unless one asks for something else.
      const isText = !isBinary || takesBinary === true
      const isUsable = isText && Buffer.isBuffer(data) && fitsBounds(data, bounds)
      events.onMessage(isUsable ? data.toString() : undefined)
    })
    socket.on('pong', () => {
      this.isThere = true
    })
    socket.on('close', (code) => {
      clearInterval(this.pinging)
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
    this.socket.send(message, () => this.events.onDrained())
  }

  pause(): void {
    this.socket.pause()
  }

  resume(): void {
    this.isThere = true
    this.socket.resume()
  }

  close(code: number, reason: string, last?: string): void {
    if (last !== undefined) this.socket.send(last, () => {})
    this.socket.close(code, reason)
    this.socket.resume()
    const timer = setTimeout(() => this.socket.terminate(), closeTimeoutMs).unref()
    this.socket.once('close', () => clearTimeout(timer))
  }

  abandon(): void {
    this.socket.terminate()
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
