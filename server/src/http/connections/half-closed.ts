import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Milliseconds between questions whether a client that has closed its side still listens; the last one repeats. The reset
 * that answers a question is noticed with the next one, so the first follow soon.
 */
const probeMs = [100, 1_000, 5_000]

/** Node's switch for it, which its types do not name. */
interface HalfOpenServer extends Server {
  httpAllowHalfOpen?: boolean
}

/**
 * Asks a client that has closed its side whether it is still there. One that is skips the line, as all clients must; the
 * machine of one that is not answers with a reset, which closes the response.
 */
const probe = (response: ServerResponse): void => {
  if (response.req.httpVersion !== '1.1') return
  let timer: NodeJS.Timeout | undefined
  const ask = (probesSent: number): void => {
    if (response.headersSent || response.destroyed) return
    response.writeContinue()
    timer = setTimeout(ask, probeMs[Math.min(probesSent, probeMs.length - 1)], probesSent + 1).unref()
  }
  ask(0)
  response.once('close', () => clearTimeout(timer))
}

/**
 * Answers clients that close their side of the connection after their request, as scripts with `nc` do. A client that
 * leaves looks the same at first: before its answer has begun it is asked whether it listens, after that it counts as gone.
 */
export const answerHalfClosed = (server: Server): void => {
  const halfOpen: HalfOpenServer = server
  halfOpen.httpAllowHalfOpen = true
  /** The last response of each connection. */
  const responses = new WeakMap<Socket, ServerResponse>()
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    responses.set(request.socket, response)
  })
  server.on('connection', (socket: Socket) => {
    socket.on('end', () => {
      const response = responses.get(socket)
      if (response === undefined || response.writableEnded) return
      if (response.headersSent) socket.destroy()
      else probe(response)
    })
  })
}
