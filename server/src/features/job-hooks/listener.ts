import { parseObject } from '@tollgate/contract/json'
import type { RateLimiter, RateRule } from '../../http/limits/rate-limit.ts'
import type { ServedPath } from '../../http/listener.ts'
import type { createRequestContexts } from '../../http/request-context.ts'
import { type JobHooks, jobHookPath } from '../../jobs/job-hooks.ts'
import type { Log } from '../../lib/log.ts'
import { limitKey } from '../../lib/security/client-address.ts'

export interface JobHookListenerParts {
  readonly jobHooks: Pick<JobHooks, 'nudgeFor'>
  readonly config: { readonly rateLimits: { readonly api: RateRule } }
  readonly log: Pick<Log, 'warn'>
}

/** Providers send the state of a job; none of it is believed, so more is not read. */
const mostBytes = 16 * 1024
const longestChallenge = 1_000

export const hookAnswer = (status: number, body: object = {}): Response =>
  new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
  })

/** Members of a request's JSON object; none where it is no object, or longer than so many bytes, of which no more are read. */
export const membersWithin = async (request: Request, bytes: number): Promise<Readonly<Record<string, unknown>>> => {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength
    if (size > bytes) return {}
    chunks.push(chunk)
  }
  return parseObject(Buffer.concat(chunks).toString())
}

/** The text that a provider wants back before it calls an address (MiniMax: platform.minimax.io/docs, callback_url); undefined where there is none. */
const challengeIn = async (request: Request): Promise<string | undefined> => {
  const { challenge } = await membersWithin(request, mostBytes)
  return typeof challenge === 'string' && challenge.length <= longestChallenge ? challenge : undefined
}

/**
 * Calls of providers about jobs, without a key. Such a call is only a reason to ask the provider: it makes the job due, and its body is dropped.
 * A job that is over answers like any other, an unknown token with 404.
 */
export const jobHookListener = (
  { jobHooks, config, log }: JobHookListenerParts,
  http: { readonly limiter: RateLimiter; readonly requestContexts: ReturnType<typeof createRequestContexts> },
): ServedPath => {
  const { limiter, requestContexts } = http
  return {
    path: jobHookPath,
    fetch: requestContexts(async (request, { ip }) => {
      const limited = `JH${limitKey(ip)}`
      if (!(await limiter.take(limited, config.rateLimits.api))) return hookAnswer(429)
      const [kind = '', token = '', ...more] = new URL(request.url).pathname.slice(jobHookPath.length + 1).split('/')
      const nudge = request.method === 'POST' && more.length === 0 ? jobHooks.nudgeFor(kind, token) : undefined
      if (nudge === undefined) return hookAnswer(404)
      await limiter.giveBack(limited)
      try {
        const challenge = await challengeIn(request)
        if (challenge !== undefined) return hookAnswer(200, { challenge })
        return hookAnswer((await nudge()) ? 200 : 404)
      } catch (error) {
        log.warn('job_hook_failed', { kind, error })
        return hookAnswer(503)
      }
    }),
  }
}
