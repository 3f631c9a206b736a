import { AppError } from '../../lib/app-error.ts'
import type { ClientEvents, ClientSocket, RealtimeClient } from '../../relay/realtime/ports.ts'
import type { RealtimeSocketClient } from './socket-client.ts'

/** Milliseconds in which a client must send its setup. */
const setupMs = 30_000

/** UTF-16 units of messages that may be queued before the setup is answered. */
const mostEarly = 1024 * 1024

const invalid = (detail: string): AppError => new AppError('invalid_text_request', { params: { detail } })

/** A client that names its model in the first message: it gets its WebSocket before a channel is chosen. */
export class LiveClient implements RealtimeClient, ClientEvents {
  gone = false
  private readonly socket: ClientSocket
  private readonly first = Promise.withResolvers<string>()
  private readonly timer: NodeJS.Timeout
  private hasSetup = false
  private early: (string | undefined)[] = []
  private size = 0
  private events: ClientEvents | undefined
  private goneListener = (): void => {}
  private readonly accepted: () => void

  /** Makes the connection a WebSocket; `accepted` is called when there is a session. Throws when the client has gone. */
  constructor(client: RealtimeSocketClient, accepted: () => void) {
    this.accepted = accepted
    this.first.promise.catch(() => {})
    this.timer = setTimeout(() => this.first.reject(invalid('the first message must be the setup')), setupMs)
    this.socket = client.accept(this)
  }

  /** The first message. Rejects with an AppError where none comes. */
  get setup(): Promise<string> {
    return this.first.promise
  }

  whenGone(listener: () => void): void {
    this.goneListener = listener
    if (this.gone) listener()
  }

  accept(events: ClientEvents): ClientSocket {
    this.accepted()
    // The listener that accepts it is ready for messages after this turn of the event loop.
    queueMicrotask(() => {
      this.events = events
      for (const message of this.early.splice(0)) events.onMessage(message)
      this.socket.resume()
    })
    return this.socket
  }

  /** The server stops: closes sockets without a setup. */
  leave(): void {
    if (!this.hasSetup) this.first.reject(new AppError('shutting_down'))
  }

  /** Ends it with a reason, before it was accepted. */
  refuse(code: number, reason: string): void {
    clearTimeout(this.timer)
    if (!this.gone) this.socket.close(code, reason)
  }

  onMessage(message: string | undefined): void {
    if (this.events !== undefined) this.events.onMessage(message)
    else if (this.hasSetup) this.keep(message)
    else this.begin(message)
  }

  onDrained(): void {
    this.events?.onDrained()
  }

  onRefused(error: AppError, code: number): void {
    if (this.events !== undefined) this.events.onRefused(error, code)
    else if (this.hasSetup) this.socket.close(code, error.code)
    else this.first.reject(error)
  }

  onClose(code: number): void {
    clearTimeout(this.timer)
    this.events?.onClose(code)
    if (this.gone) return
    this.gone = true
    this.first.reject(new AppError('client_gone'))
    this.goneListener()
  }

  private begin(message: string | undefined): void {
    this.hasSetup = true
    clearTimeout(this.timer)
    this.socket.pause()
    if (message === undefined) this.first.reject(invalid('a message is not text, or holds more than it may'))
    else this.first.resolve(message)
  }

  private keep(message: string | undefined): void {
    this.size += message?.length ?? 0
    if (this.size > mostEarly) this.socket.abandon()
    else this.early.push(message)
  }
}
