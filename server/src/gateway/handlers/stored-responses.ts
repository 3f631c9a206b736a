import { AppError } from '../../lib/app-error.ts'
import type { StoredResponseCalls } from '../../relay/routing/stored-response-calls.ts'
import { type StoredObjects, storedOwnerOf } from '../../relay/stored/ports.ts'
import type { KeyFinder } from '../auth/key-of.ts'
import { CollectingClient } from '../own-calls/collecting-client.ts'
import { sendJson } from '../response/send-failure.ts'
import type { BackgroundCalls } from '../stored/background-calls.ts'
import { createResponseCalls, type RemoveAt } from '../stored/responses.ts'
import { invalidStored } from '../stored/stored-call.ts'
import { streamEvents } from '../stored/stream-events.ts'
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

/** Number of the last event that a client has; −1 where it names none. Throws AppError for other texts. */
const numberIn = (text: string | null): number => {
  if (text === null) return -1
  if (!/^\d{1,15}$/.test(text)) throw invalidStored('starting_after is the number of an event')
  return Number(text)
}

/** Calls about a response that this gateway stores, or its provider. */
export const createStoredResponseHandler = (parts: StoredResponseHandlerParts): Handler<RouteOf<'stored_response'>> => {
  const { background, storedResponseCalls } = parts
  return withCaller(parts, async (context, route, caller) => {
    await parts.authentication.rateLimited(caller, parts.options().rateLimit)
    const query = parts.keys.withoutKey(context.query)
    const { method, id, path } = route
    const asked = new URLSearchParams(query)
    const owner = storedOwnerOf(caller)
    if (background !== undefined && method === 'GET' && partOf(path) === '' && asked.get('stream') === 'true') {
      const response = await parts.storedObjects.find(owner, 'response', id)
      if (response?.content.streamed === true) {
        const after = numberIn(asked.get('starting_after'))
        return streamEvents(context.client, (signal) => background.events(response, after, signal))
      }
    }
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
      query: asked,
      owner,
    })
    if (answer !== undefined) {
      sendJson(context.client, 200, JSON.stringify(answer))
      return
    }
    const failure = await parts.storedResponseCalls.pass({ ...route, query, caller }, context.client)
    if (failure !== undefined) parts.failures.send(context, failure)
  })
}
