import { once } from 'node:events'
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'

/** A load balancer before the nodes, as simple as they come: each call goes to the next node that says it is ready. */
export interface Balancer {
  readonly url: string
  /** How often a call was sent to another node because one refused the connection, or had closed an idle one. */
  repeats(): number
  /** Calls that no node took in time. */
  givenUp(): number
  /** Calls whose connection to a node broke in a way that is not repeated: when, and how. */
  readonly broken: readonly string[]
  close(): Promise<void>
}

interface Call {
  readonly incoming: IncomingMessage
  readonly body: Buffer
  readonly outgoing: ServerResponse
}

/** A single node is away while it starts anew. */
const patienceMs = 60_000
const pauseMs = 100
const probeEveryMs = 200

const bodyOf = async (incoming: IncomingMessage): Promise<Buffer> => {
  const parts: Buffer[] = []
  for await (const part of incoming) parts.push(part as Buffer)
  return Buffer.concat(parts)
}

/**
 * True if the node cannot have begun the call: it refused the connection, or closed a reused one while the request was on its way,
 * which shows in reading or in writing. Every balancer repeats these, and nothing else.
 */
const mayRepeat = ({ code }: NodeJS.ErrnoException, reusedSocket: boolean): boolean =>
  code === 'ECONNREFUSED' || (reusedSocket && (code === 'ECONNRESET' || code === 'EPIPE'))

/** Listens on a port of its own and passes calls on to `nodes`. */
export const startBalancer = async (nodes: readonly string[]): Promise<Balancer> => {
  const agent = new Agent({ keepAlive: true })
  let [turn, repeats, givenUp] = [0, 0, 0]
  const broken: string[] = []
  const ready = new Set(nodes)
  const probe = async (node: string): Promise<void> => {
    const isReady = await fetch(`${node}/readyz`, { signal: AbortSignal.timeout(2000) }).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isReady) ready.add(node)
    else ready.delete(node)
  }
  const probing = setInterval(() => nodes.map(probe), probeEveryMs)

  const nextNode = (): string | undefined => {
    for (let tries = 0; tries < nodes.length; tries += 1) {
      turn = (turn + 1) % nodes.length
      const node = nodes[turn] ?? ''
      if (ready.has(node)) return node
    }
    return undefined
  }

  /** Answers whether a node took the call; what happens after that is the client's to see. */
  const attempt = (node: string, { incoming, body, outgoing }: Call): Promise<boolean> =>
    new Promise((resolve) => {
      const { method, headers, url = '/' } = incoming
      const sent = request(node + url, { agent, method: method ?? 'GET', headers })
      const leave = (): void => {
        sent.destroy()
      }
      sent.on('response', (answer) => {
        resolve(true)
        outgoing.writeHead(answer.statusCode ?? 502, answer.rawHeaders)
        answer.pipe(outgoing)
        answer.on('error', () => outgoing.destroy())
      })
      sent.on('error', (error) => {
        outgoing.off('close', leave)
        if (!outgoing.headersSent && mayRepeat(error, sent.reusedSocket)) {
          resolve(false)
          return
        }
        if (!outgoing.destroyed) {
          const { code, message } = error as NodeJS.ErrnoException
          const connection = sent.reusedSocket ? 'a kept connection' : 'a new connection'
          broken.push(`${code ?? message} on ${connection} to ${node}, which was ${ready.has(node) ? '' : 'not '}ready`)
        }
        outgoing.destroy()
        resolve(true)
      })
      outgoing.once('close', leave)
      sent.end(body)
    })

  const handle = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const body = await bodyOf(incoming)
    const until = Date.now() + patienceMs
    while (Date.now() < until) {
      const node = nextNode()
      if (node !== undefined) {
        if (await attempt(node, { incoming, body, outgoing })) return
        repeats += 1
      }
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
    givenUp += 1
    outgoing.writeHead(502).end()
  }

  const server = createServer((incoming, outgoing) => {
    handle(incoming, outgoing).catch(() => outgoing.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`,
    repeats: () => repeats,
    givenUp: () => givenUp,
    broken,
    async close() {
      clearInterval(probing)
      server.closeAllConnections()
      server.close()
      agent.destroy()
      await once(server, 'close')
    },
  }
}
