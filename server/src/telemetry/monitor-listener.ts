import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { Checks } from './probes/checks.ts'
import { probes } from './probes/probes.ts'

/** Metrics in the format of scrapers. */
export interface Exposition {
  readonly contentType: string
  text(): Promise<string>
}

export interface MonitorParts {
  readonly checks: Checks
  /** Answer of `/metrics`; undefined if there is none, or not yet. */
  metrics(): Exposition | undefined
  /** True if this request may read the metrics. */
  mayRead(request: IncomingMessage): boolean
}

/** Answers probes and scrapers; false for a path that is none of theirs. */
export type MonitorListener = (request: IncomingMessage, response: ServerResponse) => boolean

const roots = /^\/(?:livez|readyz|healthz|metrics)(?:\/|$)/

const send = (
  request: IncomingMessage,
  response: ServerResponse,
  { status, text, type }: { readonly status: number; readonly text: string; readonly type?: string },
): void => {
  request.resume()
  const body = Buffer.from(text)
  response.writeHead(status, {
    'Content-Type': type ?? 'text/plain; charset=utf-8',
    'Content-Length': body.length,
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  })
  response.end(request.method === 'HEAD' ? undefined : body)
}

const notFound = (request: IncomingMessage, response: ServerResponse): void =>
  send(request, response, { status: 404, text: 'not found\n' })

const answerProbe = async (
  request: IncomingMessage,
  response: ServerResponse,
  answer: Promise<{ status: number; text: string }>,
): Promise<void> => {
  const { status, text } = await answer
  send(request, response, { status, text: `${text}\n` })
}

const answerMetrics = async (
  request: IncomingMessage,
  response: ServerResponse,
  metrics: Exposition,
): Promise<void> => {
  try {
    send(request, response, { status: 200, text: await metrics.text(), type: metrics.contentType })
  } catch {
    send(request, response, { status: 500, text: 'the metrics could not be collected\n' })
  }
}

/** Takes the paths of probes and of the metrics, and everything below them, which is not there. */
export const createMonitorListener = ({ checks, metrics, mayRead }: MonitorParts): MonitorListener => {
  return (request, response) => {
    const url = request.url ?? '/'
    const mark = url.indexOf('?')
    const path = mark < 0 ? url : url.slice(0, mark)
    if (!roots.test(path)) return false
    const probe = probes.get(path)
    const exposition = path === '/metrics' && mayRead(request) ? metrics() : undefined
    if (probe === undefined && exposition === undefined) {
      notFound(request, response)
      return true
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('Allow', 'GET, HEAD')
      send(request, response, { status: 405, text: 'method not allowed\n' })
      return true
    }
    if (probe !== undefined) {
      const verbose = mark >= 0 && new URLSearchParams(url.slice(mark)).has('verbose')
      void answerProbe(request, response, probe(checks, verbose))
    } else if (exposition !== undefined) void answerMetrics(request, response, exposition)
    return true
  }
}

/** The port of its own, open from the first moment of the start to the last of the stop. */
export interface MonitorServer {
  readonly port: number
  close(): Promise<void>
}

/** Opens a port that answers probes and scrapers only. Rejects with the fault of `listen`. */
export const openMonitorServer = async (
  listener: MonitorListener,
  address: { readonly port: number; readonly host: string | undefined },
): Promise<MonitorServer> => {
  const server = createServer({ requestTimeout: 10_000 }, (request, response) => {
    if (!listener(request, response)) notFound(request, response)
  })
  const { port, host } = address
  server.listen({ port, ...(host === undefined ? {} : { host }) })
  await once(server, 'listening')
  const bound = server.address()
  return {
    port: typeof bound === 'object' && bound !== null ? bound.port : port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
