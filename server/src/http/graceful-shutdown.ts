import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export interface GracefulShutdownParts {
  readonly server: Server
  /** Resolves when no call is running, including those whose client has left. */
  readonly callsOver: () => Promise<void>
  /** Ends sessions, which last as long as their clients like: after a running response, or at once. */
  readonly endSessions: (how: 'soon' | 'now') => void
  /** Milliseconds that running calls may continue. */
  readonly patienceMs: number
  /** Milliseconds that aborted calls then have to be recorded. */
  readonly recordMs: number
}

const idleCheckMs = 50
/** On a connection that is younger, the first request may be on its way. */
const youngMs = 1000

/** The two steps in which a server closes. */
export interface GracefulShutdown {
  /** From now on the next answer of each connection is its last one, so that clients and balancers go elsewhere. */
  announce(): void
  /** Accepts no new calls, lets open calls end, and closes idle connections. */
  close(): Promise<void>
}

const within = async (ms: number, work: Promise<unknown>): Promise<void> => {
  const patience = new AbortController()
  await Promise.race([work, sleep(ms, undefined, { signal: patience.signal }).catch(() => undefined)])
  patience.abort()
}

/** Closes a server without breaking off running calls. */
export const createGracefulShutdown = (parts: GracefulShutdownParts): GracefulShutdown => {
  const { server, callsOver, endSessions, patienceMs, recordMs } = parts
  /** Open connections, with when they were opened. Milliseconds. */
  const sockets = new Map<Socket, number>()
  let announced = false
  server.on('connection', (socket: Socket) => {
    sockets.set(socket, performance.now())
    socket.once('close', () => sockets.delete(socket))
  })

  const closeIdle = (): void => {
    const before = performance.now() - youngMs
    const silent = [...sockets].filter(([{ bytesRead }]) => bytesRead === 0)
    for (const [socket, openedAt] of silent) if (openedAt < before) socket.destroy()
    // It also closes connections without any request yet.
    if (silent.every(([, openedAt]) => openedAt < before)) server.closeIdleConnections()
  }

  const announce = (): void => {
    if (announced) return
    announced = true
    // One that a balancer uses again and again would never be idle for long enough.
    server.prependListener('request', (_: IncomingMessage, response: ServerResponse) => {
      response.shouldKeepAlive = false
    })
  }

  const close = async (): Promise<void> => {
    announce()
    // An HTTP server would also close idle connections at once.
    const closed = new Promise((resolve) => NetServer.prototype.close.call(server, resolve))
    endSessions('soon')
    closeIdle()
    const idle = setInterval(closeIdle, idleCheckMs)
    await within(patienceMs, Promise.all([closed, callsOver()]))
    clearInterval(idle)
    endSessions('now')
    server.closeAllConnections()
    await within(recordMs, callsOver())
  }

  return { announce, close }
}
