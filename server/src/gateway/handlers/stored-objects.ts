import type { JsonObject } from '../../dialects/conversation/json.ts'
import { AppError } from '../../lib/app-error.ts'
import type { Caller } from '../../relay/ports.ts'
import { type StoredObjects, storedOwnerOf } from '../../relay/stored/ports.ts'
import type { RequestContext } from '../request-context.ts'
import { sendJson } from '../response/send-failure.ts'
import { createCompletionCalls } from '../stored/completions.ts'
import { createConversationCalls } from '../stored/conversations.ts'
import { mayStore } from '../stored/stored-turns.ts'
import { type Handler, type HandlerParts, type RouteOf, withCaller } from './handler.ts'

export interface StoredObjectHandlerParts extends HandlerParts {
  readonly storedObjects: StoredObjects
  readonly clock: () => number
}

/** Calls about conversations and chat completions that this gateway stores. They cost nothing. */
export const createStoredObjectHandler = (parts: StoredObjectHandlerParts): Handler<RouteOf<'stored_object'>> => {
  const calls = {
    conversation: createConversationCalls(parts.storedObjects, parts.clock),
    completion: createCompletionCalls(parts.storedObjects),
  }

  /** Body of a POST; only callers who can pay for a call may store anything. */
  const bodyOf = async (context: RequestContext, caller: Caller): Promise<JsonObject> => {
    if (context.request.method !== 'POST') return {}
    const bytes = await parts.bodies.paid(context, caller)
    if (bytes.length === 0) return {}
    return (await parts.bodies.parsed(context, bytes)).body
  }

  return withCaller(parts, async (context, { noun, call }, caller) => {
    const options = parts.options()
    await parts.authentication.rateLimited(caller, options.rateLimit)
    const isRead = call.method !== 'POST'
    if (!isRead && !mayStore(caller, options)) throw new AppError('storing_off', { params: { group: caller.group } })
    const body = await bodyOf(context, caller)
    const query = new URLSearchParams(context.query)
    const answer = await calls[noun]({ ...call, query, body, owner: storedOwnerOf(caller), days: options.storage.days })
    sendJson(context.client, 200, JSON.stringify(answer))
  })
}
