import { ownMember } from '@tollgate/contract/own-member'
import { isObject, type JsonObject, membersOf, textIn } from '../../dialects/conversation/json.ts'
import type { Adjustment, OutgoingRequest } from '../provider.ts'

/** What chat templates call the switch: Qwen, GLM and Granite the first, DeepSeek and Kimi the second. Templates ignore other names. */
const off = { enable_thinking: false, thinking: false } as const

/** Engines know three efforts (docs.vllm.ai, Reasoning Outputs; docs.sglang.ai, Reasoning Parser). */
const efforts: Readonly<Record<string, string>> = { minimal: 'low', xhigh: 'high', max: 'high' }

const withoutThoughts = (body: JsonObject): JsonObject => {
  const written = isObject(body.chat_template_kwargs) ? body.chat_template_kwargs : {}
  return { chat_template_kwargs: { ...off, ...written } }
}

/**
 * Engines switch thinking off in the chat template: `reasoning_effort: none`, with which all dialects say so here, becomes
 * `chat_template_kwargs`. What a client has written there itself stands. llama.cpp reads them in its Messages API, too, and leaves
 * `thinking: {type: disabled}` unread there.
 */
export const engineThinking = ({ path, body }: OutgoingRequest): Adjustment | undefined => {
  if (path.endsWith('/messages'))
    return membersOf(body.thinking).type === 'disabled' ? { members: withoutThoughts(body) } : undefined
  const effort = textIn(body.reasoning_effort)
  if (effort === undefined || !path.endsWith('/chat/completions')) return undefined
  if (effort === 'none') return { effort, members: { reasoning_effort: undefined, ...withoutThoughts(body) } }
  const known = ownMember(efforts, effort)
  return known === undefined ? { effort } : { effort, members: { reasoning_effort: known } }
}
