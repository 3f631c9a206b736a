import { isObject } from '@tollgate/contract/json'
import type { RateLimiter, RateRule } from '../../http/limits/rate-limit.ts'
import type { ServedPath } from '../../http/listener.ts'
import type { createRequestContexts } from '../../http/request-context.ts'
import { type ChannelHooks, channelHookPath } from '../../jobs/channel-hooks.ts'
import type { Log } from '../../lib/log.ts'
import { limitKey } from '../../lib/security/client-address.ts'
import { hookAnswer, type JobHookListenerParts, jobHookListener, membersWithin } from './listener.ts'

export interface ChannelHookListenerParts {
  readonly channelHooks: Pick<ChannelHooks, 'nudgeFor'>
  readonly config: { readonly rateLimits: { readonly api: RateRule } }
  readonly log: Pick<Log, 'warn'>
}

/** Only the id of the work is read of a call, and it is not believed. */
const mostBytes = 64 * 1024
const longestId = 200

/** The id in a call: developers.openai.com/api/reference/resources/webhooks, ai.google.dev/gemini-api/docs/webhooks (`data.id`). */
const idIn = async (request: Request): Promise<string | undefined> => {
  const { data } = await membersWithin(request, mostBytes)
  const id = isObject(data) ? data.id : undefined
  if (typeof id !== 'string' || id === '' || id.length > longestId) return undefined
  return id.replace(/^batches\//, '')
}

/**
 * Calls of providers about work of a channel, by webhooks that its operator has set up there. Such a call is only a reason to ask the
 * provider, so no signature is needed. Every call with the channel's token is answered with 200, whatever it names.
 */
export const channelHookListener = (
  { channelHooks, config, log }: ChannelHookListenerParts,
  http: { readonly limiter: RateLimiter; readonly requestContexts: ReturnType<typeof createRequestContexts> },
): ServedPath => {
  const { limiter, requestContexts } = http
  return {
    path: channelHookPath,
    fetch: requestContexts(async (request, { ip }) => {
      const limited = `JH${limitKey(ip)}`
      if (!(await limiter.take(limited, config.rateLimits.api))) return hookAnswer(429)
      const token = new URL(request.url).pathname.slice(channelHookPath.length + 1)
      const nudge = request.method === 'POST' ? channelHooks.nudgeFor(token) : undefined
      if (nudge === undefined) return hookAnswer(404)
      await limiter.giveBack(limited)
      try {
        const id = await idIn(request)
        if (id !== undefined) await nudge(id)
        return hookAnswer(200)
      } catch (error) {
        log.warn('job_hook_failed', { kind: 'channel', error })
        return hookAnswer(503)
      }
    }),
  }
}

/** Both listeners for calls of providers. */
export const hookListeners = (
  parts: JobHookListenerParts & ChannelHookListenerParts,
  http: Parameters<typeof jobHookListener>[1],
): ServedPath[] => [jobHookListener(parts, http), channelHookListener(parts, http)]
