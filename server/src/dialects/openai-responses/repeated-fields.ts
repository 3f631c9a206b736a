import { ownMember } from '@tollgate/contract/own-member'
import type { Conversation } from '../conversation/conversation.ts'
import type { JsonObject } from '../conversation/json.ts'

/** Request fields that every response repeats, with their defaults. */
const always: JsonObject = {
  instructions: null,
  metadata: {},
  parallel_tool_calls: true,
  temperature: null,
  tool_choice: 'auto',
  tools: [],
  top_p: null,
}

/** Those that a response has only where its request names them. */
const ifNamed = [
  'conversation',
  'max_output_tokens',
  'max_tool_calls',
  'previous_response_id',
  'prompt_cache_key',
  'prompt_cache_retention',
  'reasoning',
  'safety_identifier',
  'store',
  'text',
  'top_logprobs',
  'truncation',
  'user',
] as const

/** Those of a request (platform.openai.com/docs/api-reference/responses/object). */
export const repeatedFields = (body: JsonObject): JsonObject => {
  const named = [...Object.keys(always), ...ifNamed]
    .map((name) => [name, ownMember(body, name)] as const)
    .filter(([, value]) => value !== undefined && value !== null)
  return { ...always, ...Object.fromEntries(named) }
}

/** The same for the response to a conversation. */
export const repeatedIn = ({ own }: Conversation): JsonObject => own.repeated ?? always
