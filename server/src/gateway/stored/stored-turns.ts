import type { JsonObject } from '../../dialects/conversation/json.ts'
import { membersOf, objectsOf, textIn } from '../../dialects/conversation/json.ts'
import type { Dialect } from '../../dialects/dialect.ts'
import { isPending } from '../../dialects/openai-responses/storage.ts'
import type { StorageRules } from '../../dialects/storage-rules.ts'
import { AppError } from '../../lib/app-error.ts'
import type { Caller, RelayOptions } from '../../relay/ports.ts'
import type { StoredResponses } from '../../relay/routing/stored-responses.ts'
import {
  newStoredId,
  type StoredObject,
  type StoredObjects,
  type StoredOwner,
  storedOwnerOf,
} from '../../relay/stored/ports.ts'

/** One turn of a stored conversation: the thread that a call continues, and where its answer is stored. */
export interface StoredTurn {
  readonly rules: StorageRules
  readonly owner: StoredOwner
  /** The request before stored turns were inserted. */
  readonly request: JsonObject
  /** Id of the thread that the call continues; undefined for the first turn of a thread. */
  readonly thread: string | undefined
  /** The conversation that the answer is added to. */
  readonly conversation: Pick<StoredObject, 'id' | 'owner'> | undefined
}

/** The body with the stored turns inserted, and its turn. */
export interface ContinuedCall {
  readonly body: JsonObject
  readonly turn: StoredTurn
}

export interface StoredTurnParts {
  readonly storedObjects: StoredObjects
  readonly storedResponses: Pick<StoredResponses, 'isNoted' | 'find'>
  readonly options: () => RelayOptions
  /** True where every answer is put into `storedObjects`, marked `unstored` if the client did not ask for storage. */
  readonly all?: true
}

/** Loads the turns that calls continue, and stores their answers. */
export interface StoredTurns {
  /**
   * The call with the turns that it continues; synchronous where it continues none. An unknown id is left in the body, since the
   * provider may know it. Throws AppError: `invalid_text_request`, `response_not_found`, `previous_response_not_found`.
   */
  continued(body: JsonObject, caller: Caller, dialect: Dialect): ContinuedCall | undefined | Promise<ContinuedCall>
  /** True if the answer of the call is to be stored or added to a conversation. */
  stores(turn: StoredTurn, caller: Caller): boolean
  /** Stores a charged answer. A response that its provider stores is not copied. */
  store(turn: StoredTurn, answer: JsonObject, caller: Caller): void
}

const itemPrefixes: ReadonlyMap<unknown, string> = new Map([
  ['message', 'msg'],
  ['reasoning', 'rs'],
  ['function_call', 'fc'],
  ['function_call_output', 'fco'],
])

/** An item of a conversation, as its list shows it. */
export const namedItem = (item: JsonObject): JsonObject & { readonly id: string } => {
  const type = item.type ?? 'message'
  const id = textIn(item.id) ?? newStoredId(itemPrefixes.get(type) ?? 'item')
  const content =
    typeof item.content === 'string'
      ? { content: [{ type: item.role === 'assistant' ? 'output_text' : 'input_text', text: item.content }] }
      : {}
  return { type, status: 'completed', ...item, ...content, id }
}

/** True if anything is stored for a caller; the playground has no key. */
export const mayStore = ({ group, tokenId }: Caller, { storage }: RelayOptions): boolean =>
  tokenId !== 0 && storage.days > 0 && !storage.without.has(group)

const stillPending = 'the previous response is still in progress'
const excluding = 'previous_response_id and conversation exclude each other'

/** Items of the previous responses, oldest first, and of the last. Throws AppError('response_not_found') where one is deleted. */
const itemsUpTo = (last: StoredObject, responses: readonly StoredObject[]): JsonObject[] => {
  const byId = new Map(responses.map((response) => [response.id, response]))
  const turns: StoredObject[] = []
  let next: StoredObject | undefined = last
  while (next !== undefined) {
    turns.unshift(next)
    const id: string | undefined = textIn(next.content.previous)
    const previous: StoredObject | undefined = id === undefined ? undefined : byId.get(id)
    // Each response is later than its predecessor, so the loop ends.
    const isEarlier: boolean = previous !== undefined && previous.order < next.order
    if (id !== undefined && !isEarlier) throw new AppError('response_not_found', { params: { id } })
    next = previous
  }
  return turns.flatMap(({ content }) => [...objectsOf(content.items), ...objectsOf(content.output)])
}

export const createStoredTurns = (parts: StoredTurnParts): StoredTurns => {
  const { storedObjects, storedResponses, options, all = false } = parts

  const fromResponse = async (id: string, body: JsonObject, turn: StoredTurn): Promise<ContinuedCall> => {
    const { owner, rules } = turn
    const last = await storedObjects.find(owner, 'response', id)
    // The relay looks it up among the responses that providers store. Only this socket knows ids of its own.
    if (last === undefined) {
      if (all && (await storedResponses.find(id, owner)) === undefined)
        throw new AppError('previous_response_not_found', { params: { id } })
      return { body, turn }
    }
    if (isPending(membersOf(last.content.answer)))
      throw new AppError('invalid_text_request', { params: { detail: stillPending } })
    // A response that its provider stores under a name of its own goes on there.
    const alias = textIn(last.content.alias)
    if (alias !== undefined) return { body: rules.withPrevious(body, alias), turn }
    const isFirst = textIn(last.content.previous) === undefined
    const responses = isFirst ? [last] : await storedObjects.thread(owner, last.thread)
    return {
      body: rules.withEarlier(body, itemsUpTo(last, responses)),
      turn: { ...turn, thread: last.thread },
    }
  }

  const fromConversation = async (id: string, body: JsonObject, turn: StoredTurn): Promise<ContinuedCall> => {
    const { owner, rules } = turn
    const conversation = await storedObjects.find(owner, 'conversation', id)
    if (conversation === undefined) return { body, turn }
    const objects = await storedObjects.thread(owner, conversation.thread)
    const items = objects.flatMap(({ kind, content }) => (kind === 'item' ? [content] : []))
    return { body: rules.withEarlier(body, items), turn: { ...turn, conversation } }
  }

  const addItems = (
    { id: thread, owner }: NonNullable<StoredTurn['conversation']>,
    items: readonly JsonObject[],
    days: number,
  ): void => {
    for (const item of items) {
      const named = namedItem(item)
      storedObjects.put({ kind: 'item', id: named.id, owner, thread, content: named }, days)
    }
  }

  return {
    continued(body, caller, { storage: rules }) {
      if (rules === undefined || caller.tokenId === 0) return undefined
      const turn = { rules, owner: storedOwnerOf(caller), request: body, thread: undefined, conversation: undefined }
      const previous = rules.previous(body)
      const conversation = rules.conversation(body)
      if (previous !== undefined && conversation !== undefined)
        throw new AppError('invalid_text_request', { params: { detail: excluding } })
      if (previous !== undefined) return fromResponse(previous, body, turn)
      if (conversation !== undefined) return fromConversation(conversation, body, turn)
      return all || rules.isStored(body) ? { body, turn } : undefined
    },

    stores({ rules, request, conversation }, caller) {
      return mayStore(caller, options()) && (conversation !== undefined || rules.isStored(request))
    },

    store(turn, answer, caller) {
      const { rules, owner, request, conversation } = turn
      const { days } = options().storage
      const items = rules.items(request)
      const output = rules.output(answer)
      if (conversation !== undefined) addItems(conversation, [...items, ...output], days)
      const id = textIn(answer.id) ?? ''
      const isStored = rules.isStored(request)
      if (!(all || isStored) || id === '') return
      if (rules.kind === 'response' && storedResponses.isNoted(id, caller)) return
      const content = {
        items,
        output,
        previous: turn.thread === undefined ? null : rules.previous(request),
        answer: rules.stored(answer, request),
        ...(isStored ? {} : { unstored: true }),
      }
      storedObjects.put({ kind: rules.kind, id, owner, thread: turn.thread ?? id, content }, days)
    },
  }
}
