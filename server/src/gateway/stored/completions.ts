import { isObject, type JsonObject, membersOf, objectsOf } from '../../dialects/conversation/json.ts'
import type { StoredObject, StoredObjects } from '../../relay/stored/ports.ts'
import {
  found,
  invalidStored,
  type ListPage,
  listAnswer,
  metadataIn,
  pageIn,
  pageOf,
  type StoredCall,
  type StoredCalls,
} from './stored-call.ts'

/** Objects that are read at once while a list is filtered, and pages that are read for it at most. */
const filterPage = 100
const mostFilterPages = 20

const completionOf = ({ content }: StoredObject): JsonObject => membersOf(content.answer)

/** Filter of a list: `model` and `metadata[key]` of the query. */
const filterIn = (query: URLSearchParams): ((completion: JsonObject) => boolean) => {
  const model = query.get('model')
  const wanted = [...query].flatMap(([name, value]) => {
    const [, key] = /^metadata\[(.{1,64})\]$/.exec(name) ?? []
    return key === undefined ? [] : [[key, value] as const]
  })
  return (completion) =>
    (model === null || completion.model === model) &&
    wanted.every(([key, value]) =>
      Object.entries(membersOf(completion.metadata)).some((entry) => entry[0] === key && entry[1] === value),
    )
}

/** Stored chat completions (platform.openai.com/docs/api-reference/chat/list). */
export const createCompletionCalls = (objects: StoredObjects): StoredCalls => {
  const list = async (call: StoredCall, page: ListPage): Promise<JsonObject> => {
    const { owner, query } = call
    const fits = filterIn(query)
    const last = page.after === undefined ? undefined : await objects.find(owner, 'completion', page.after)
    const fitting: JsonObject[] = []
    let after = last?.order
    for (let pages = 0; pages < mostFilterPages && fitting.length <= page.limit; pages += 1) {
      const stored = await objects.list(owner, 'completion', { after, order: page.order, limit: filterPage })
      fitting.push(...stored.map(completionOf).filter(fits))
      after = stored.at(-1)?.order
      if (stored.length < filterPage) break
    }
    return listAnswer(fitting.slice(0, page.limit), fitting.length > page.limit)
  }

  const messagesOf = ({ id, content }: StoredObject): readonly JsonObject[] =>
    objectsOf(content.items).map((message, index) => ({ id: `${id}-${index}`, ...message }))

  const change = ({ body, days }: StoredCall, object: StoredObject): JsonObject => {
    if (!isObject(body.metadata)) throw invalidStored('metadata is required')
    const answer = { ...completionOf(object), metadata: metadataIn(body) }
    objects.put({ ...object, content: { ...object.content, answer } }, days)
    return answer
  }

  return async (call) => {
    const { id, part, method, query } = call
    if (id === '') return list(call, pageIn(query, 'asc'))
    const completion = await found(objects, call, 'completion', 'Chat completion')
    if (part === 'messages') return pageOf(messagesOf(completion), pageIn(query, 'asc'))
    if (method === 'GET') return completionOf(completion)
    if (method === 'POST') return change(call, completion)
    await objects.remove(completion)
    return { object: 'chat.completion.deleted', id, deleted: true }
  }
}
