import { isObject, type JsonObject, listOf, objectsOf, parsedJson } from '../conversation/json.ts'
import type { RecalledThoughts, ThoughtCollector, ThoughtRules } from '../thought-rules.ts'
import { storage } from './storage.ts'

/** Items of a request that are looked at, from its end. */
const latestItems = 2000

const isCall = ({ type }: JsonObject): boolean => type === 'function_call' || type === 'custom_tool_call'

/** Clients reformat arguments; their meaning stays. Chat completions keep other members under their turns. */
const turnOf = ({ call_id: id, name, arguments: text, input }: JsonObject): string => {
  const read = typeof text === 'string' ? parsedJson(text) : undefined
  return JSON.stringify(['responses', id, name, read ?? text ?? input])
}

/** A turn ends where something comes back to the model. */
const isOfModel = (item: JsonObject): boolean =>
  isCall(item) || item.type === 'reasoning' || (item.role === 'assistant' && (item.type ?? 'message') === 'message')

/** Turn → its first call, for turns with calls and without reasoning. */
const forgetful = (input: unknown): ReadonlyMap<JsonObject, string> => {
  const turns = new Map<JsonObject, string>()
  let isKnown = false
  for (const item of objectsOf(input)) {
    if (!isOfModel(item)) isKnown = false
    else if (item.type === 'reasoning') isKnown = true
    else if (isCall(item) && !isKnown) {
      turns.set(item, turnOf(item))
      isKnown = true
    }
  }
  return turns
}

const restored = (body: JsonObject, recalled: RecalledThoughts): JsonObject => {
  const turns = forgetful(body.input)
  return {
    ...body,
    input: listOf(body.input).flatMap((item) => {
      const turn = isObject(item) ? turns.get(item) : undefined
      const thoughts = turn === undefined ? undefined : recalled.get(turn)
      return thoughts === undefined ? [item] : [...objectsOf(thoughts.items), item]
    }),
  }
}

const collect = (): ThoughtCollector => {
  const answer = storage.collect()
  return {
    event: answer.event,
    whole: answer.whole,
    result() {
      const output = objectsOf(answer.result()?.output)
      const at = output.findIndex(isCall)
      const call = output[at]
      const items = output.slice(0, Math.max(0, at)).filter(({ type }) => type === 'reasoning')
      return call === undefined || items.length === 0 ? undefined : { turn: turnOf(call), members: { items } }
    },
  }
}

/** Clients that send the whole conversation themselves may return calls without the reasoning that led to them. */
export const thoughts: ThoughtRules = {
  mayCall: ({ tools }) => listOf(tools).length > 0,
  missing: ({ input }) => [...forgetful(listOf(input).slice(-latestItems)).values()],
  restored,
  collect,
}
