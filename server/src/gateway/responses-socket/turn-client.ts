import { isObject, parsedJson } from '../../dialects/conversation/json.ts'
import { payloads } from '../../lib/sse.ts'
import type { Client, ClientListeners } from '../../relay/call.ts'
import type { ClientSocket } from '../../relay/realtime/ports.ts'

const noListeners: ClientListeners = { drained() {}, gone() {} }

/** Bytes that may wait for a client that reads slowly. */
const muchWaiting = 256 * 1024

/** The client of one turn over a socket: each event of the answer is a message, and so is a refusal. */
export class TurnClient implements Client {
  gone = false
  begun = false
  /** The client's name for the turn, which each message repeats; undefined for none. */
  streamId: string | undefined
  private readonly socket: ClientSocket
  private listeners = noListeners
  private status = 200
  private isStream = false
  private body = ''
  private waits = false

  constructor(socket: ClientSocket) {
    this.socket = socket
  }

  head(status: number, headers: readonly string[]): void {
    this.begun = true
    this.status = status
    this.isStream = headers.some((value) => value.startsWith('text/event-stream'))
  }

  write(bytes: Buffer | string): boolean {
    if (this.gone) return true
    if (this.isStream) this.say(bytes)
    else this.body += bytes.toString()
    this.waits = this.socket.waiting > muchWaiting
    return !this.waits
  }

  end(bytes?: Buffer | string): void {
    if (this.gone) return
    if (bytes !== undefined) this.write(bytes)
    if (!this.isStream) this.refuse()
  }

  abandon(): void {
    this.socket.abandon()
  }

  listen(listeners: ClientListeners): void {
    this.listeners = listeners
    if (this.gone) listeners.gone()
  }

  /** Called when the client has read enough of the sent messages. */
  drained(): void {
    if (!this.waits || this.socket.waiting > muchWaiting) return
    this.waits = false
    this.listeners.drained()
  }

  leave(): void {
    if (this.gone) return
    this.gone = true
    this.listeners.gone()
  }

  private say(bytes: Buffer | string): void {
    for (const payload of payloads(bytes.toString())) this.socket.send(this.named(payload))
  }

  private named(payload: string): string {
    if (this.streamId === undefined) return payload
    const event = parsedJson(payload)
    return isObject(event) ? JSON.stringify({ ...event, stream_id: this.streamId }) : payload
  }

  /** A whole body is an error: answers are streams here (developers.openai.com/api/docs/guides/websocket-mode). */
  private refuse(): void {
    const json = parsedJson(this.body)
    const error = isObject(json) && isObject(json.error) ? json.error : { message: this.body }
    this.socket.send(this.named(JSON.stringify({ type: 'error', status: this.status, error })))
  }
}
