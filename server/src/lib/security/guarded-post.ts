import { Agent, request } from 'undici'
import type { EgressGuard } from './egress.ts'

export interface PostRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Milliseconds until it is given up, the connection included. */
  readonly timeoutMs: number
}

/**
 * Posts to an address that a person typed, and answers the status: looked up, checked and connected to in one step, without following
 * redirects. Throws AppError('address_blocked' | 'port_blocked'), and what the network throws.
 */
export type GuardedPost = (request: PostRequest) => Promise<number>

/** `ca` are further certificate authorities, in PEM. Each post has a connection of its own: they are rare, and to many addresses. */
export const createGuardedPost =
  (egress: EgressGuard, ca?: string): GuardedPost =>
  async ({ url, headers, body, timeoutMs }) => {
    const patience = AbortSignal.timeout(timeoutMs)
    const tooLate = new Promise<never>((_, reject) => {
      patience.addEventListener('abort', () => reject(patience.reason), { once: true })
    })
    const agent = new Agent({
      connect: { lookup: egress.lookup, timeout: timeoutMs, ...(ca === undefined ? {} : { ca }) },
    })
    const exchange = async (): Promise<number> => {
      await egress.check(url)
      const answer = await request(url, { method: 'POST', headers, body, dispatcher: agent, signal: patience })
      answer.body.on('error', () => undefined).destroy()
      return answer.statusCode
    }
    const exchanged = exchange()
    try {
      return await Promise.race([exchanged, tooLate])
    } finally {
      exchanged.catch(() => undefined)
      await agent.destroy()
    }
  }
