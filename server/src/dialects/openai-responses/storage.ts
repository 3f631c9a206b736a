import { isObject, type JsonObject, membersOf, objectsOf, parsedJson, textIn, without } from '../conversation/json.ts'
import type { AnswerCollector, StorageRules } from '../storage-rules.ts'

const ends: ReadonlySet<unknown> = new Set(['response.completed', 'response.incomplete'])

/** The last event holds the whole response. */
const collect = (): AnswerCollector => {
  let response: JsonObject | undefined
  return {
    event(payload) {
      // Text may contain the names, so the event is parsed.
      if (!payload.includes('response.completed') && !payload.includes('response.incomplete')) return
      const event = membersOf(parsedJson(payload))
      if (ends.has(event.type) && isObject(event.response)) response = event.response
    },
    whole(answer) {
      if (answer.object === 'response' && answer.status !== 'failed') response = answer
    },
    result: () => response,
  }
}

const items = ({ input }: JsonObject): readonly JsonObject[] =>
  typeof input === 'string'
    ? [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: input }] }]
    : objectsOf(input)

/** Reasoning that is not sealed is known to its provider only, by its id. */
const isKnownAnywhere = ({ type, encrypted_content: seal }: JsonObject): boolean =>
  type !== 'reasoning' || typeof seal === 'string'

/** Providers look for items by their ids where they store them; these are not theirs. Reasoning is known by its seal. */
const withoutId = (item: JsonObject): JsonObject => {
  if (item.type === 'item_reference' || item.type === 'reasoning') return item
  const { id: _, ...rest } = item
  return rest
}

const conversationOf = ({ conversation }: JsonObject): string | undefined =>
  textIn(conversation) ?? textIn(membersOf(conversation).id)

/** Request members that a response repeats (platform.openai.com/docs/api-reference/responses/object). */
const repeated = [
  'instructions',
  'metadata',
  'previous_response_id',
  'tools',
  'tool_choice',
  'reasoning',
  'text',
] as const

export const storage: StorageRules = {
  kind: 'response',
  isStored: ({ store }) => store !== false,
  previous: ({ previous_response_id: id }) => textIn(id),
  withPrevious: (body, id) => ({ ...body, previous_response_id: id }),
  conversation: conversationOf,
  items,
  output: ({ output }) => objectsOf(output),
  withEarlier: (body, earlier) => ({
    ...without(body, new Set(['previous_response_id', 'conversation'])),
    input: [...earlier.filter(isKnownAnywhere).map(withoutId), ...items(body)],
  }),
  collect,
  stored(answer, body) {
    const said = Object.fromEntries(repeated.flatMap((name) => (body[name] === undefined ? [] : [[name, body[name]]])))
    const id = conversationOf(body)
    return { metadata: {}, ...said, ...answer, ...said, store: true, conversation: id === undefined ? null : { id } }
  },
}

const pending: ReadonlySet<unknown> = new Set(['queued', 'in_progress'])

/** True for a response in the background that has no end yet (platform.openai.com/docs/guides/background). */
export const isPending = (answer: JsonObject): boolean => answer.background === true && pending.has(answer.status)

/** Answers and requests have a few hundred items at most; ids are 53 characters long. */
const mostItems = 1000
const longestId = 200

const idIn = ({ id }: JsonObject): string[] => {
  const text = textIn(id)
  return text === undefined || text === '' || text.length > longestId ? [] : [text]
}

/** Ids of the items of a response, by which later requests may name them where its provider stores it. */
export const itemIdsOf = (output: unknown): readonly string[] => objectsOf(output).slice(0, mostItems).flatMap(idIn)

/**
 * True for an item of which its provider knows the rest: a reference, also one without a type
 * (platform.openai.com/docs/api-reference/responses/create, "Item reference": its type is optional), and reasoning that is not sealed.
 */
const isReference = (item: JsonObject): boolean => {
  const { type } = item
  if (type === 'reasoning') return typeof item.encrypted_content !== 'string'
  return type === 'item_reference' || ((type === undefined || type === null) && item.role === undefined)
}

/** Ids of stored items that a request names. */
export const namedItems = ({ input }: JsonObject): readonly string[] =>
  typeof input === 'string' ? [] : [...new Set(itemIdsOf(objectsOf(input).filter(isReference)))]
