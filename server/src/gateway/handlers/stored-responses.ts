import { AppError } from '../../lib/app-error.ts'
import type { StoredResponseCalls } from '../../relay/routing/stored-response-calls.ts'
import { type StoredObjects, storedOwnerOf } from '../../relay/stored/ports.ts'
import type { KeyFinder } from '../auth/key-of.ts'
import { CollectingClient } from '../own-calls/collecting-client.ts'
import { sendJson } from '../response/send-failure.ts'
import type { BackgroundCalls } from '../stored/background-calls.ts'
import { createResponseCalls, type RemoveAt } from '../stored/responses.ts'
import { type Handler, type HandlerParts, type RouteOf, withCaller } from './handler.ts'

export interface StoredResponseHandlerParts extends HandlerParts {
  readonly background?: BackgroundCalls | undefined
  readonly storedObjects: StoredObjects
  readonly keys: Pick<KeyFinder, 'withoutKey'>
  readonly storedResponseCalls: StoredResponseCalls
}

/** Bytes of a provider's answer that a response is deleted. */
const mostAnswer = 64 * 1024

/** Sub-path behind the response id: `input_items`, `cancel`, or empty. */
const partOf = (path: string): string => /\/(input_items|cancel)$/.exec(path)?.[1] ?? ''

/** Calls about a response that this gateway stores, or its provider. */
export const createStoredResponseHandler = (parts: StoredResponseHandlerParts): Handler<RouteOf<'stored_response'>> => {
  const { background, storedResponseCalls } = parts
  return withCaller(parts, async (context, route, caller) => {
    await parts.authentication.rateLimited(caller, parts.options().rateLimit)
    const query = parts.keys.withoutKey(context.query)
    const { method, id, path } = route
    const removeAt: RemoveAt = async (_, alias) => {
      const atProvider = { method, id: alias, path: path.replace(id, alias), query: '', caller }
      try {
        await storedResponseCalls.pass(atProvider, new CollectingClient(mostAnswer))
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'response_not_found') throw error
      }
    }
    const ours = createResponseCalls(parts.storedObjects, { background, removeAt })
    const answer = await ours({
      method,
      id,
      part: partOf(path),
      item: '',
      body: {},
      days: 0,
      query: new URLSearchParams(query),
      owner: storedOwnerOf(caller),
    })
    if (answer !== undefined) {
      sendJson(context.client, 200, JSON.stringify(answer))
      return
    }
    const failure = await parts.storedResponseCalls.pass({ ...route, query, caller }, context.client)
    if (failure !== undefined) parts.failures.send(context, failure)
  })
}
