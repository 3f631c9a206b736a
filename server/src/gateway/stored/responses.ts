import { type JsonObject, membersOf, objectsOf, textIn } from '../../dialects/conversation/json.ts'
import { isPending } from '../../dialects/openai-responses/storage.ts'
import type { StoredObject, StoredObjects } from '../../relay/stored/ports.ts'
import type { BackgroundCalls } from './background-calls.ts'
import { invalidStored, pageIn, pageOf, type StoredCall } from './stored-call.ts'

/** Deletes a response at the provider that stores it under the id `alias`; one that is gone there already is no error. */
export type RemoveAt = (call: StoredCall, alias: string) => Promise<void>

/** Calls about a stored response (platform.openai.com/docs/api-reference/responses); undefined if it is not stored here. */
export const createResponseCalls = (
  objects: StoredObjects,
  {
    background,
    removeAt,
  }: { readonly background?: Pick<BackgroundCalls, 'cancel'> | undefined; readonly removeAt: RemoveAt },
) => {
  const answer = async (call: StoredCall, response: StoredObject): Promise<JsonObject> => {
    const { method, part, query, id } = call
    const stored = membersOf(response.content.answer)
    if (part === 'cancel') {
      if (background === undefined || stored.background !== true)
        throw invalidStored('only a response that runs in the background can be cancelled')
      return background.cancel(response)
    }
    if (part === 'input_items') {
      const items = objectsOf(response.content.items)
      return pageOf(
        items.map((item, index) => ({ id: `item_${id}_${index}`, type: 'message', ...item })),
        pageIn(query, 'desc'),
      )
    }
    if (method === 'DELETE') {
      if (isPending(stored)) await background?.cancel(response)
      const alias = textIn(response.content.alias)
      if (alias !== undefined) await removeAt(call, alias)
      await objects.remove(response)
      return { id, object: 'response', deleted: true }
    }
    if (query.get('stream') === 'true')
      throw invalidStored('only a response that was created with background and stream is streamed again')
    return stored
  }

  return async (call: StoredCall): Promise<JsonObject | undefined> => {
    const response = await objects.find(call.owner, 'response', call.id)
    return response && answer(call, response)
  }
}
