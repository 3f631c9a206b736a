import { nineCharacters } from '../../dialects/conversation/call-ids.ts'
import { isObject, type JsonObject, listOf, objectsOf } from '../../dialects/conversation/json.ts'
import { mistralInfill } from '../../dialects/media/infill.ts'
import { compatible } from '../dialects/openai.ts'
import type { Adjustment, OutgoingRequest } from '../provider.ts'

/** Models that the console offers for a new channel of this type, newest first; older names that clients may still use stand at the end. */
const models: readonly string[] = [
  'mistral-large-4',
  'mistral-large-latest',
  'mistral-medium-3-5',
  'mistral-medium-latest',
  'mistral-small-latest',
  'ministral-14b-latest',
  'ministral-8b-latest',
  'ministral-3b-latest',
  'codestral-latest',
  'devstral-latest',
  'devstral-medium-latest',
  'devstral-small-latest',
  'magistral-medium-latest',
  'magistral-small-latest',
  'pixtral-large-latest',
  'voxtral-small-latest',
  'mistral-embed',
  'mistral-moderation-2603',
  'open-mixtral-8x7b',
  'open-mistral-7b',
]

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
const withMistralCallIds = ({ body }: OutgoingRequest): Adjustment | undefined => {
  const messages = listOf(body.messages)
  if (!messages.some(hasForeignIds)) return undefined
  return { members: { messages: messages.map((message) => (isObject(message) ? withValidIds(message) : message)) } }
}

export const mistral = compatible({
  type: 42,
  name: 'Mistral',
  label: { zh: 'Mistral AI', en: 'Mistral AI' },
  color: 'blue',
  baseUrl: 'https://api.mistral.ai',
  owner: 'mistral',
  models,
  // It answers 422 `extra_forbidden`, and always reports usage (github.com/openai/openai-agents-python/issues/442).
  refusesStreamOptions: true,
  adjust: withMistralCallIds,
  leavesPlain: () => [],
  infills: () => mistralInfill,
  // It completes and bills an answer after a disconnect (openrouter.ai/docs/api-reference/streaming, Stream Cancellation).
  billsAborted: true,
})
