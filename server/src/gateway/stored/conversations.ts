import { z } from 'zod'
import { isObject, type JsonObject } from '../../dialects/conversation/json.ts'
import { newStoredId, type StoredObject, type StoredObjects } from '../../relay/stored/ports.ts'
import {
  found,
  invalidStored,
  metadataIn,
  notFound,
  pageIn,
  pageOf,
  type StoredCall,
  type StoredCalls,
} from './stored-call.ts'
import { namedItem } from './stored-turns.ts'

/** Most items of one request (platform.openai.com/docs/api-reference/conversations/create). */
const itemsSchema = z.array(z.record(z.string(), z.unknown())).max(20)

const itemsIn = ({ items }: JsonObject, required: boolean): readonly JsonObject[] => {
  if (!required && (items === undefined || items === null)) return []
  const read = itemsSchema.safeParse(items)
  if (!read.success) throw invalidStored('items must be a list of at most 20 objects')
  return read.data
}

/** The Conversations API of OpenAI (platform.openai.com/docs/api-reference/conversations). */
export const createConversationCalls = (objects: StoredObjects, clock: () => number): StoredCalls => {
  const add = (
    { owner, days }: Pick<StoredCall, 'owner' | 'days'>,
    thread: string,
    items: readonly JsonObject[],
  ): JsonObject[] =>
    items.map((item) => {
      const named = namedItem(item)
      objects.put({ kind: 'item', id: named.id, owner, thread, content: named }, days)
      return named
    })

  const create = (call: StoredCall): JsonObject => {
    const { owner, days, body } = call
    const items = itemsIn(body, false)
    const id = newStoredId('conv')
    const created_at = Math.floor(clock() / 1000)
    const content = { id, object: 'conversation', created_at, metadata: metadataIn(body) }
    objects.put({ kind: 'conversation', id, owner, thread: id, content }, days)
    add(call, id, items)
    return content
  }

  const itemsOf = async ({ owner, thread }: StoredObject): Promise<readonly StoredObject[]> =>
    (await objects.thread(owner, thread)).filter(({ kind }) => kind === 'item')

  const item = async (call: StoredCall, conversation: StoredObject): Promise<JsonObject> => {
    const { owner, method } = call
    const object = await objects.find(owner, 'item', call.item)
    if (object === undefined || object.thread !== conversation.thread) throw notFound('Item', call.item)
    if (method === 'GET') return object.content
    if (method !== 'DELETE') throw invalidStored('items are not changed')
    await objects.remove(object)
    return conversation.content
  }

  const items = async (call: StoredCall, conversation: StoredObject): Promise<JsonObject> => {
    if (call.method === 'POST') {
      // Owned by the conversation's key, so that all readers of the conversation can read its items.
      const added = add({ owner: conversation.owner, days: call.days }, conversation.thread, itemsIn(call.body, true))
      return pageOf(added, { limit: added.length, order: 'asc', after: undefined })
    }
    const contents = (await itemsOf(conversation)).map(({ content }) => content)
    return pageOf(contents, pageIn(call.query, 'desc'))
  }

  const change = (call: StoredCall, { owner, id, thread, content }: StoredObject): JsonObject => {
    if (!isObject(call.body.metadata)) throw invalidStored('metadata is required')
    const changed = { ...content, metadata: metadataIn(call.body) }
    objects.put({ kind: 'conversation', id, owner, thread, content: changed }, call.days)
    return changed
  }

  return async (call) => {
    const { id, part, method, owner } = call
    if (id === '') return create(call)
    const conversation = await found(objects, call, 'conversation', 'Conversation')
    if (call.item !== '') return item(call, conversation)
    if (part === 'items') return items(call, conversation)
    if (method === 'GET') return conversation.content
    if (method === 'POST') return change(call, conversation)
    await objects.removeThread(owner, conversation.thread)
    return { id, object: 'conversation.deleted', deleted: true }
  }
}
