import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export interface GracefulShutdownParts {
  readonly server: Server
  /** Resolves when no call is under way, not even one whose client has left. */
  readonly callsOver: () => Promise<void>
  /** Ends calls that go on for as long as their clients like: when they have come to an end of something, or at once. */
  readonly endSessions: (how: 'soon' | 'now') => void
  /** How long calls under way may go on. */
  readonly patienceMs: number
  /** How long those that were cut off then get to be written down. */
  readonly recordMs: number
}

const idleCheckMs = 50

const within = async (ms: number, work: Promise<unknown>): Promise<void> => {
  const patience = new AbortController()
  await Promise.race([work, sleep(ms, undefined, { signal: patience.signal }).catch(() => undefined)])
  patience.abort()
}

/** Returns a function that closes a server: it accepts no new calls, lets open calls end, and closes idle connections. */
export const createGracefulShutdown = (parts: GracefulShutdownParts): (() => Promise<void>) => {
  const { server, callsOver, endSessions, patienceMs, recordMs } = parts
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })

  const closeIdle = (): void => {
    // A connection whose answer ends from now on would be kept for its client's next call.
    server.closeIdleConnections()
    // Node counts a connection without a request (browsers and proxies open them in advance) as busy.
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
  }

  return async () => {
    const closed = new Promise((resolve) => server.close(resolve))
    endSessions('soon')
    closeIdle()
    const idle = setInterval(closeIdle, idleCheckMs)
    await within(patienceMs, Promise.all([closed, callsOver()]))
    clearInterval(idle)
    endSessions('now')
    server.closeAllConnections()
    await within(recordMs, callsOver())
  }
}
