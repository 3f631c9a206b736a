import { type JsonObject, membersOf, objectsOf } from '../../dialects/conversation/json.ts'
import type { StoredObject, StoredObjects } from '../../relay/stored/ports.ts'
import { invalidStored, pageIn, pageOf, type StoredCall } from './stored-call.ts'

/** Calls about a stored response (platform.openai.com/docs/api-reference/responses); undefined if it is not stored here. */
export const createResponseCalls = (objects: StoredObjects) => {
  const answer = async ({ method, part, query, id }: StoredCall, response: StoredObject): Promise<JsonObject> => {
    if (part === 'cancel') throw invalidStored('only a response that runs in the background can be cancelled')
    if (part === 'input_items') {
      const items = objectsOf(response.content.items)
      return pageOf(
        items.map((item, index) => ({ id: `item_${id}_${index}`, type: 'message', ...item })),
        pageIn(query, 'desc'),
      )
    }
    if (method === 'DELETE') {
      await objects.remove(response)
      return { id, object: 'response', deleted: true }
    }
    if (query.get('stream') === 'true') throw invalidStored('a response that is stored here is not streamed again')
    return membersOf(response.content.answer)
  }

  return async (call: StoredCall): Promise<JsonObject | undefined> => {
    const response = await objects.find(call.owner, 'response', call.id)
    return response && answer(call, response)
  }
}
