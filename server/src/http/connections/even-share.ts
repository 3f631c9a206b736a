import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

export interface EvenShareParts {
  readonly server: Server
  /** Reports the connections of this worker; resolves with the average per worker. */
  readonly averageOf: (open: number) => Promise<number>
  readonly intervalMs: number
}

/** Factor of the average, and the additional connections, that a worker may have before it sends clients away. */
const mostOfAverage = 1.2
const fewMore = 4

/**
 * Keeps connections evenly spread over the workers of a node. The worker that accepts a connection is the one that is quickest
 * just then, and a client that keeps its connection keeps its worker: of 64 clients that come at once, 50 were seen at one of
 * two. A worker that has more than its share says with some answers that their connections end (`Connection: close`), so that
 * their clients open others. Answers under way are not touched. Returns what stops it.
 */
export const spreadEvenly = ({ server, averageOf, intervalMs }: EvenShareParts): (() => void) => {
  /** Those that are to stay. */
  const open = new Set<Socket>()
  /** Number of connections to close. */
  let excess = 0
  server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    if (excess === 0 || !open.delete(socket)) return
    excess -= 1
    response.shouldKeepAlive = false
  })
  const compare = async (): Promise<void> => {
    const average = await averageOf(open.size)
    excess = open.size > average * mostOfAverage + fewMore ? open.size - Math.ceil(average) : 0
  }
  // A primary that does not answer ends this process, too.
  const timer = setInterval(() => void compare().catch(() => undefined), intervalMs).unref()
  return () => clearInterval(timer)
}
