import { isObject } from '../../dialects/conversation/json.ts'
import { readLiveTokenRequest } from '../../dialects/gemini/live/live-token.ts'
import { AppError } from '../../lib/app-error.ts'
import type { KeyFinder } from '../auth/key-of.ts'
import type { LiveTokens } from '../auth/live-tokens.ts'
import { sendJson } from '../response/send-failure.ts'
import { type Handler, type HandlerParts, type RouteOf, withCaller } from './handler.ts'
import { liveModelIn } from './live-call.ts'
import { type SessionCallParts, sessionPlan } from './session-call.ts'

export interface LiveTokenParts extends HandlerParts, SessionCallParts {
  readonly keys: KeyFinder
  readonly liveTokens: LiveTokens
}

/** Creates browser keys. They are free; their sessions are paid by the key that created them. */
export const createLiveTokenHandler = (parts: LiveTokenParts): Handler<RouteOf<'live_token'>> =>
  withCaller(parts, async (context, _, caller) => {
    const { request, path, query, startedAt, client } = context
    await parts.authentication.rateLimited(caller, parts.options().rateLimit)
    const { body } = await parts.bodies.parsed(context, await parts.bodies.paid(context, caller))
    const wanted = readLiveTokenRequest(body, startedAt)
    if (typeof wanted === 'string') throw new AppError('invalid_text_request', { params: { detail: wanted } })
    const { setup, uses } = wanted
    if (isObject(setup) && setup.model !== undefined)
      sessionPlan({ name: liveModelIn(setup), settings: {} }, context, caller, parts)
    const answer = {
      name: parts.liveTokens.make(parts.keys.sentKey(request.headers, path, query), wanted),
      expireTime: new Date(wanted.expires).toISOString(),
      newSessionExpireTime: new Date(wanted.newSessionExpires).toISOString(),
      uses,
    }
    sendJson(client, 200, JSON.stringify(answer))
  })
