import { ownMember } from '@tollgate/contract/own-member'
import {
  countOf,
  defined,
  isObject,
  type JsonObject,
  membersOf,
  objectsOf,
  textIn,
  textOf,
} from '../conversation/json.ts'
import { gatewayCostIn } from '../cost/cost-place.ts'

/** Anthropic's reasons that Converse has under other names; all others are the same. */
const reasons: Readonly<Record<string, string>> = { refusal: 'content_filtered', pause_turn: 'end_turn' }

export const stopReasonOf = (reason: unknown): string =>
  ownMember(reasons, textOf(reason)) ?? (textOf(reason) || 'end_turn')

/** Anthropic's input tokens exclude those of the cache, as Converse's do; the total counts them all. */
export const converseUsage = (usage: JsonObject): JsonObject => {
  const inputTokens = countOf(usage.input_tokens)
  const outputTokens = countOf(usage.output_tokens)
  const cacheReadInputTokens = countOf(usage.cache_read_input_tokens)
  const cacheWriteInputTokens = countOf(usage.cache_creation_input_tokens)
  return {
    inputTokens,
    outputTokens,
    cacheReadInputTokens,
    cacheWriteInputTokens,
    totalTokens: inputTokens + outputTokens + cacheReadInputTokens + cacheWriteInputTokens,
    ...gatewayCostIn(usage),
  }
}

/** Blocks that Converse lacks, e.g. searches of the provider, are left out. */
const blockOf = (block: JsonObject): JsonObject[] => {
  switch (block.type) {
    case 'text':
      return [{ text: textOf(block.text) }]
    case 'tool_use':
      return [{ toolUse: { toolUseId: textOf(block.id), name: textOf(block.name), input: block.input ?? {} } }]
    case 'thinking': {
      const signature = textIn(block.signature)
      return [{ reasoningContent: { reasoningText: { text: textOf(block.thinking), ...defined({ signature }) } } }]
    }
    case 'redacted_thinking':
      return [{ reasoningContent: { redactedContent: Buffer.from(textOf(block.data)).toString('base64') } }]
    default:
      return []
  }
}

/** A message of Anthropic's as the answer of Converse (API_runtime_Converse.html, Response Syntax). */
export const writeConverseAnswer = (message: JsonObject): JsonObject => {
  if (message.type === 'error' || isObject(message.error)) return message
  return {
    output: { message: { role: 'assistant', content: objectsOf(message.content).flatMap(blockOf) } },
    stopReason: stopReasonOf(message.stop_reason),
    usage: converseUsage(membersOf(message.usage)),
    metrics: { latencyMs: 0 },
  }
}
