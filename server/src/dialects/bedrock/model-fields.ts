import type { Conversation, Reasoning } from '../conversation/conversation.ts'
import { budgetOf, effortOf } from '../conversation/effort.ts'
import type { JsonObject } from '../conversation/json.ts'
import type { UnsupportedFields } from '../conversation/unsupported-fields.ts'

/** Fields that Converse lacks, in the format of the model's vendor (`additionalModelRequestFields`). */

const smallestBudget = 1024

const claudeThinking = (reasoning: Reasoning): JsonObject => {
  const budget = budgetOf(reasoning)
  if (budget === 0) return {}
  const tokens = budget === undefined || budget < 0 ? 8192 : Math.max(smallestBudget, budget)
  return { thinking: { type: 'enabled', budget_tokens: tokens } }
}

const shortEffort = (reasoning: Reasoning): 'low' | 'medium' | 'high' | undefined => {
  const effort = effortOf(reasoning)
  if (effort === undefined || effort === 'none') return undefined
  if (effort === 'minimal') return 'low'
  return effort === 'xhigh' || effort === 'max' ? 'high' : effort
}

/** Amazon's Nova 2 (docs.aws.amazon.com/nova/latest/nova2-userguide/extended-thinking.html). */
const novaThinking = (reasoning: Reasoning): JsonObject => {
  if (effortOf(reasoning) === 'none') return { reasoningConfig: { type: 'disabled' } }
  return { reasoningConfig: { type: 'enabled', maxReasoningEffort: shortEffort(reasoning) ?? 'medium' } }
}

const openaiThinking = (reasoning: Reasoning): JsonObject => {
  const effort = shortEffort(reasoning)
  return effort === undefined ? {} : { reasoning_effort: effort }
}

const thinkers: readonly (readonly [RegExp, (reasoning: Reasoning) => JsonObject])[] = [
  [/claude/, claudeThinking],
  [/nova-2/, novaThinking],
  [/openai\.gpt/, openaiThinking],
]

const thinkingOf = ({ reasoning, model }: Conversation, unsupported: UnsupportedFields): JsonObject => {
  if (reasoning === undefined) return {}
  const write = thinkers.find(([pattern]) => pattern.test(model))?.[1]
  if (write !== undefined) return write(reasoning)
  if (budgetOf(reasoning) !== 0) unsupported.add('reasoning')
  return {}
}

const topKOf = ({ topK, model }: Conversation, unsupported: UnsupportedFields): JsonObject => {
  if (topK === undefined) return {}
  if (model.includes('nova')) return { inferenceConfig: { topK } }
  if (model.includes('cohere.')) return { k: topK }
  if (/claude|mistral|qwen/.test(model)) return { top_k: topK }
  unsupported.add('top_k')
  return {}
}

export const modelFields = (conversation: Conversation, unsupported: UnsupportedFields): JsonObject => ({
  ...thinkingOf(conversation, unsupported),
  ...topKOf(conversation, unsupported),
})
