import { isObject, type JsonObject, listOf } from '../../dialects/conversation/json.ts'
import type { ModelFacts } from '../../dialects/facts/model-facts.ts'

/** Turns of chat completions for models that want them in an order of their own. */

const roleOf = (message: unknown): unknown => (isObject(message) ? message.role : undefined)

/** A turn of which nothing is left without its thoughts. */
const isOnlyThought = (message: unknown): boolean =>
  isObject(message) &&
  message.role === 'assistant' &&
  (message.content ?? '') === '' &&
  listOf(message.tool_calls).length === 0

/**
 * A turn of the assistant that says nothing: in its name no word is invented. Zed sends such a turn
 * (github.com/zed-industries/zed/pull/31736). It holds a space, as Mistral refuses a turn that has neither content nor calls
 * (github.com/OpenHands/OpenHands/issues/8685).
 */
const blank = ' '

/**
 * The messages with such a turn between results and a turn of the user, and without turns of thoughts alone; undefined where they are in
 * order.
 */
export const withAnsweredResults = (messages: unknown): readonly unknown[] | undefined => {
  const given = listOf(messages)
  const all = given.some(isOnlyThought) ? given.filter((message) => !isOnlyThought(message)) : given
  const isGap = (place: number): boolean => roleOf(all[place]) === 'user' && roleOf(all[place - 1]) === 'tool'
  if (!all.some((_, place) => isGap(place))) return all === given || all.length === 0 ? undefined : all
  return all.flatMap((message, place) => (isGap(place) ? [{ role: 'assistant', content: blank }, message] : [message]))
}

/** Mark for a last turn of the assistant that the answer continues; undefined for none, and where it is marked. */
export const prefixMark = (
  messages: readonly unknown[],
  family: ModelFacts | undefined,
): readonly [number, JsonObject] | undefined => {
  const last = messages.at(-1)
  if (family?.prefix === undefined || !isObject(last) || last.role !== 'assistant') return undefined
  const isMarked = last[family.prefix] === true || listOf(last.tool_calls).length > 0
  return isMarked ? undefined : [messages.length - 1, { [family.prefix]: true }]
}
