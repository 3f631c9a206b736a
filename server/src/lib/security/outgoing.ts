import { Agent, fetch as undiciFetch } from 'undici'
import type { EgressGuard } from './egress.ts'

/** The service did not answer, or answered that it is down. */
export class Unreachable extends Error {}

export interface OutgoingInit {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly signal?: AbortSignal
}

/** A `fetch` for addresses that the operator typed: guarded, bounded, without redirects. Throws Unreachable. */
export type Outgoing = (url: string, init?: OutgoingInit) => Promise<Response>

/** Milliseconds for an answer with its body. */
export const outgoingTimeoutMs = 5000
const mostBytes = 1_000_000
const withoutBody = new Set([204, 205, 304])

/** Everything is read before it is handed on, so that the time limit counts for the body too. */
const readWhole = async (url: string, init: OutgoingInit, agent: Agent): Promise<Response> => {
  const answer = await undiciFetch(url, {
    method: init.method ?? 'GET',
    headers: { ...init.headers },
    ...(init.body === undefined || init.body === null ? {} : { body: init.body as string | URLSearchParams }),
    redirect: 'manual',
    signal: AbortSignal.any([AbortSignal.timeout(outgoingTimeoutMs), ...(init.signal ? [init.signal] : [])]),
    dispatcher: agent,
  })
  const body = await answer.arrayBuffer()
  return new Response(withoutBody.has(answer.status) ? null : body, {
    status: answer.status,
    headers: [...answer.headers],
  })
}

/** Opens the way out: the name is resolved and checked as the connection is made. */
export const openOutgoing = (
  egress: Pick<EgressGuard, 'lookup' | 'assertLiteral'>,
): { ask: Outgoing; close(): Promise<void> } => {
  const agent = new Agent({
    connect: { lookup: egress.lookup, timeout: outgoingTimeoutMs },
    headersTimeout: outgoingTimeoutMs,
    bodyTimeout: outgoingTimeoutMs,
    maxResponseSize: mostBytes,
  })
  return {
    async ask(url, init = {}) {
      const { hostname, host } = new URL(url)
      try {
        egress.assertLiteral(hostname)
        const answer = await readWhole(url, init, agent)
        if (answer.status < 500) return answer
      } catch (cause) {
        throw new Unreachable(`${host} does not answer`, { cause })
      }
      throw new Unreachable(`${host} is down`)
    },
    close: () => agent.close(),
  }
}
