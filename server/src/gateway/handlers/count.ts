import type { CountTokens } from '../../relay/usage/count-tokens.ts'
import { admit } from '../auth/admit.ts'
import type { AdmitParts } from '../auth/admit-parts.ts'
import { sendJson } from '../response/send-failure.ts'
import { type Handler, type HandlerParts, type RouteOf, withCaller } from './handler.ts'

export interface CountHandlerParts extends HandlerParts, AdmitParts {
  readonly counting: CountTokens
}

/** Tokens of a prompt, which cost nothing to know. */
export const createCountHandler = (parts: CountHandlerParts): Handler<RouteOf<'count'>> =>
  withCaller(parts, async (context, _, caller) => {
    await parts.authentication.rateLimited(caller, parts.options().rateLimit)
    const { call } = await admit(context, caller, await parts.bodies.free(context), parts)
    sendJson(context.client, 200, JSON.stringify(await parts.counting.count(call)))
  })
