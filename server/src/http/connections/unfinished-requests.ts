import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Clock } from '../../lib/clock.ts'
import { createAddressList } from '../../lib/security/address-list.ts'
import { limitKey, plainAddress } from '../../lib/security/client-address.ts'

export interface UnfinishedParts {
  readonly server: Server
  readonly clock: Clock
  /** Most unfinished requests of one address that are older than `momentMs`; 0 for any number. */
  readonly mostPerAddress: number
  /** Addresses whose connections belong to many clients. */
  readonly trustedProxies: readonly string[]
}

export interface UnfinishedRequests {
  /** Closes connections that are too slow or too many; runs by itself every two seconds. */
  sweep(): void
  close(): void
}

/** Milliseconds. A request that takes longer to arrive counts for its address. */
const momentMs = 5_000
/** A body must bring `windowBytes` in each `windowMs` milliseconds: a tenth of what the slowest mobile networks carry. */
const windowMs = 30_000
const windowBytes = 16 * 1024
const sweepMs = 2_000

interface Connection {
  readonly socket: Socket
  /** Empty where the address has no limit. */
  readonly address: string
  request: IncomingMessage | undefined
  response: ServerResponse | undefined
  /** When the request that is unfinished was first seen, in milliseconds. */
  since: number
  /** When the window began in which the speed of a body is measured, in milliseconds. */
  windowStart: number
  windowStartBytes: number
  /** Bytes received when the connection was last seen idle; undefined while it is not. */
  idleBytes: number | undefined
}

type Phase = 'head' | 'body' | 'none'

const timedOut = 'HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'

const refuse = ({ socket, request, response }: Connection): void => {
  // A request that is answered before all of it arrived gets no second answer.
  const isUnanswered = response?.headersSent !== true || request?.complete === true
  if (isUnanswered) socket.write(timedOut)
  socket.destroySoon()
}

/**
 * Limits requests that do not arrive: bodies that stall are closed, however long a moving upload takes, and of many that one
 * address leaves unfinished the oldest are closed. Heads have a time limit of node's own.
 */
export const limitUnfinishedRequests = (parts: UnfinishedParts): UnfinishedRequests => {
  const { server, clock, mostPerAddress } = parts
  const proxies = createAddressList(parts.trustedProxies)
  const connections = new Map<Socket, Connection>()

  const addressOf = (socket: Socket): string => {
    const peer = plainAddress(socket.remoteAddress ?? '')
    return mostPerAddress === 0 || proxies.has(peer) ? '' : limitKey(peer)
  }

  server.on('connection', (socket: Socket) => {
    const now = clock()
    connections.set(socket, {
      socket,
      address: addressOf(socket),
      request: undefined,
      response: undefined,
      since: now,
      windowStart: now,
      windowStartBytes: 0,
      idleBytes: undefined,
    })
    socket.once('close', () => connections.delete(socket))
  })

  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const connection = connections.get(request.socket)
    if (connection === undefined) return
    connection.request = request
    connection.response = response
    connection.idleBytes = undefined
    if (request.complete) return
    connection.since = clock()
    connection.windowStart = connection.since
    connection.windowStartBytes = request.socket.bytesRead
  })

  // Its connection is no longer one of requests.
  server.on('upgrade', (request: IncomingMessage) => connections.delete(request.socket))

  const phaseOf = (connection: Connection, now: number): Phase => {
    const { request, response, socket } = connection
    if (request === undefined) return 'head'
    if (!request.complete) return 'body'
    if (response?.writableFinished !== true) return 'none'
    if (connection.idleBytes === undefined) {
      connection.idleBytes = socket.bytesRead
      connection.since = now
    }
    if (socket.bytesRead > connection.idleBytes) return 'head'
    connection.since = now
    return 'none'
  }

  const isStalled = (connection: Connection, now: number): boolean => {
    if (now - connection.windowStart < windowMs) return false
    const { bytesRead } = connection.socket
    const isMoving = bytesRead - connection.windowStartBytes >= windowBytes
    connection.windowStart = now
    connection.windowStartBytes = bytesRead
    // A paused one waits for us, not for its client.
    return !isMoving && connection.request?.isPaused() !== true
  }

  const sweep = (): void => {
    const now = clock()
    const slow = new Map<string, Connection[]>()
    for (const connection of connections.values()) {
      const phase = phaseOf(connection, now)
      if (phase === 'none') continue
      if (phase === 'body' && isStalled(connection, now)) refuse(connection)
      else if (connection.address !== '' && now - connection.since >= momentMs) {
        const ofAddress = slow.get(connection.address)
        if (ofAddress === undefined) slow.set(connection.address, [connection])
        else ofAddress.push(connection)
      }
    }
    for (const ofAddress of slow.values()) {
      ofAddress.sort((left, right) => left.since - right.since)
      for (const connection of ofAddress.slice(0, Math.max(0, ofAddress.length - mostPerAddress))) refuse(connection)
    }
  }

  const sweeping = setInterval(sweep, sweepMs).unref()
  return { sweep, close: () => clearInterval(sweeping) }
}
