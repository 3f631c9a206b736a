import { ownMember } from '@tollgate/contract/own-member'
import { isObject, type JsonObject, listOf, objectsOf, textIn } from '../../dialects/conversation/json.ts'
import { bareId, type Collection, type DirectAim } from './collections.ts'
import type { ObjectName } from './ports.ts'

const named = (kind: string, id: unknown): ObjectName[] =>
  typeof id === 'string' && id !== '' ? [{ kind, id: bareId(kind, id) }] : []

/** The texts at a path through an object: `a.b[].c`. */
const textsAt = (value: unknown, path: string): readonly string[] => {
  let values: readonly unknown[] = [value]
  for (const step of path.split('.')) {
    const isList = step.endsWith('[]')
    const member = isList ? step.slice(0, -2) : step
    values = values.flatMap((one) => {
      const inner = isObject(one) ? ownMember(one, member) : undefined
      return isList ? listOf(inner) : [inner]
    })
  }
  return values.filter((one): one is string => typeof one === 'string')
}

/** The name of an object of a collection, as its provider prints it; undefined where it has none. Batches of xAI have a `name` that clients choose. */
export const nameOf = (collection: Collection, object: JsonObject, idMember?: string): ObjectName | undefined => {
  const { kind } = collection
  const member = idMember ?? collection.idMember
  const usual = (kind === 'batches' ? textIn(object.batch_id) : undefined) ?? textIn(object.id) ?? textIn(object.name)
  const id = member === undefined ? usual : textIn(ownMember(object, member))
  return named(kind, id ?? object.conversation_id)[0]
}

/** Objects of the same maker that an object names. */
export const resultsOf = (
  { results = [], googleResults = [] }: Collection,
  object: JsonObject,
): readonly ObjectName[] =>
  (object.id === undefined ? googleResults : results).flatMap(([path, kind]) =>
    textsAt(object, path).flatMap((id) => named(kind, id)),
  )

/** Objects come alone, wrapped in their noun (`{"file": {…}}`), or in the event that announces them. */
const wrappers = ['file', 'response', 'interaction', 'job'] as const

const objectIn = (collection: Collection, answer: JsonObject, idMember?: string): ObjectName | undefined => {
  const own = nameOf(collection, answer, idMember)
  if (own !== undefined) return own
  for (const wrapper of wrappers) {
    const inner = ownMember(answer, wrapper)
    const name = isObject(inner) ? nameOf(collection, inner, idMember) : undefined
    if (name !== undefined) return name
  }
  return undefined
}

/** Objects that provider tools created for an answer: containers, files in them, items that later calls may name. */
export const toolObjects = (answer: JsonObject): readonly ObjectName[] => {
  const whole = isObject(answer.response) ? answer.response : isObject(answer.message) ? answer.message : answer
  const delta = isObject(answer.delta) ? answer.delta : {}
  const containers = [whole.container, delta.container].flatMap((container) =>
    isObject(container) ? named('containers', container.id) : [],
  )
  const items = [...objectsOf(whole.output), ...(isObject(answer.item) ? [answer.item] : [])]
  const blocks = [...objectsOf(whole.content), ...(isObject(answer.content_block) ? [answer.content_block] : [])]
  return [
    ...containers,
    ...items.flatMap((item) => [...named('items', item.id), ...named('containers', item.container_id)]),
    ...blocks.flatMap(({ type, content }) => {
      if (typeof type !== 'string' || !type.endsWith('_tool_result')) return []
      return objectsOf(isObject(content) ? content.content : content).flatMap(({ file_id }) => named('files', file_id))
    }),
  ]
}

/** Objects that the call created, by its successful answer or one event of it. */
export const madeBy = (aim: DirectAim, method: string, answer: JsonObject): readonly ObjectName[] => {
  const tools = method === 'POST' ? toolObjects(answer) : []
  const collection = makesOf(aim, method)
  if (collection === undefined) return tools
  const name = objectIn(collection, answer, aim.kind === 'action' ? aim.idMember : undefined)
  return [...(name === undefined ? [] : [name]), ...resultsOf(collection, answer), ...tools]
}

const makesOf = (aim: DirectAim, method: string): Collection | undefined => {
  if (aim.kind === 'action') return aim.makes
  if (method === 'GET' || aim.kind === 'models') return undefined
  if (aim.kind === 'all') return aim.collection
  return aim.collection.remakes?.test(aim.below) === true ? aim.collection : undefined
}
