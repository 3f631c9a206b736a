import { nineCharacters } from '../../dialects/conversation/call-ids.ts'
import { isObject, type JsonObject, listOf, objectsOf } from '../../dialects/conversation/json.ts'
import type { Adjustment, OutgoingRequest } from '../provider.ts'

const withValidIds = (message: JsonObject): JsonObject => ({
  ...message,
  ...(typeof message.tool_call_id === 'string' ? { tool_call_id: nineCharacters(message.tool_call_id) } : {}),
  ...(Array.isArray(message.tool_calls)
    ? { tool_calls: objectsOf(message.tool_calls).map((call) => ({ ...call, id: nineCharacters(String(call.id)) })) }
    : {}),
})

const isForeign = (id: unknown): boolean => typeof id === 'string' && nineCharacters(id) !== id

const hasForeignIds = (message: unknown): boolean =>
  isObject(message) &&
  (isForeign(message.tool_call_id) || objectsOf(message.tool_calls).some(({ id }) => isForeign(id)))

/** Replaces tool call ids of other providers, which Mistral refuses (error 3280, "invalid_function_call"). */
export const withMistralCallIds = ({ body }: OutgoingRequest): Adjustment | undefined => {
  const messages = listOf(body.messages)
  if (!messages.some(hasForeignIds)) return undefined
  return { members: { messages: messages.map((message) => (isObject(message) ? withValidIds(message) : message)) } }
}
