import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { WebSocket, WebSocketServer } from 'ws'
import type { ClientEvents, ClientSocket, RealtimeClient } from '../../relay/realtime/ports.ts'
import { AcceptedSocket, type SocketBounds } from './accepted-socket.ts'
import type { SocketPlace } from './socket-places.ts'

interface ClientParts extends SocketBounds {
  readonly request: IncomingMessage
  readonly id: string
  readonly socket: Duplex
  readonly head: Buffer
  readonly sockets: () => WebSocketServer
}

/** Bytes. A client has no reason to send anything before it is accepted. */
const mostEarly = 64 * 1024

/** A client that waits for its connection to become a WebSocket. */
export class RealtimeSocketClient implements RealtimeClient {
  gone = false
  private readonly parts: ClientParts
  private early: Buffer[]
  private size = 0
  private goneListener = (): void => {}
  private acceptedListener = (): void => {}
  private place: SocketPlace | undefined

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

  /** It has a place, which it leaves when it goes; needed before it is accepted. */
  admit(place: SocketPlace): void {
    this.place = place
    if (this.gone) place.leave()
  }

  /** Throws when it has gone. */
  accept(events: ClientEvents): ClientSocket {
    const { request, id, socket: connection } = this.parts
    const { place } = this
    if (place === undefined) throw new Error('a WebSocket without a place')
    const sockets = this.parts.sockets()
    let accepted: WebSocket | undefined
    const name = (headers: string[]): void => {
      headers.push(`X-Oneapi-Request-Id: ${id}`)
    }
    sockets.once('headers', name)
    sockets.handleUpgrade(request, this.detached(), Buffer.concat(this.early), (socket) => {
      accepted = socket
    })
    sockets.removeListener('headers', name)
    this.early = []
    if (accepted === undefined) {
      place.leave()
      throw new Error('the WebSocket was refused')
    }
    this.acceptedListener()
    return new AcceptedSocket({ socket: accepted, connection }, events, place, this.parts)
  }

  /** The bare connection, to be answered in another way. */
  back(): Duplex {
    this.place?.leave()
    return this.detached()
  }

  private detached(): Duplex {
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
    this.place?.leave()
    this.parts.socket.destroy()
    this.goneListener()
  }
}
