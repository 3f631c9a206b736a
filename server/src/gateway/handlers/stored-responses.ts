import type { StoredResponseCalls } from '../../relay/routing/stored-response-calls.ts'
import type { KeyFinder } from '../auth/key-of.ts'
import { type Handler, type HandlerParts, type RouteOf, withCaller } from './handler.ts'

export interface StoredResponseHandlerParts extends HandlerParts {
  readonly keys: Pick<KeyFinder, 'withoutKey'>
  readonly storedResponseCalls: StoredResponseCalls
}

/** Calls about a response that its provider stores. */
export const createStoredResponseHandler = (parts: StoredResponseHandlerParts): Handler<RouteOf<'stored_response'>> =>
  withCaller(parts, async (context, route, caller) => {
    await parts.authentication.rateLimited(caller, parts.options().rateLimit)
    const query = parts.keys.withoutKey(context.query)
    const failure = await parts.storedResponseCalls.pass({ ...route, query, caller }, context.client)
    if (failure !== undefined) parts.failures.send(context, failure)
  })
