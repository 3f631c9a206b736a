import type { Conversation, Effort } from '../conversation/conversation.ts'
import { budgetOf, effortOf } from '../conversation/effort.ts'
import { type JsonObject, objectsOf } from '../conversation/json.ts'
import type { UnsupportedFields } from '../conversation/unsupported-fields.ts'
import type { AnthropicCapabilities } from './capabilities.ts'

/** Thinking settings of Claude (platform.claude.com/docs: thinking, effort, and the migration guides of each model). */

export interface Thinking {
  /** Fields of the request. The caller removes the sampling settings that thinking forbids. */
  readonly members: JsonObject
  readonly effort: JsonObject
  readonly on: boolean
  /** Tokens, included in max_tokens; 0 if the model chooses. */
  readonly budget: number
}

const smallestBudget = 1024
const usualBudget = 8192

/** `claude-opus-4-7` → 4.7; 0 for names of Claude 3, 5 for families without a number. */
export const versionOf = (model: string): number => {
  const [, major, minor = '0'] = /claude-(?:[a-z]+-)(\d+)(?:[-.](\d{1,2})(?!\d))?/.exec(model) ?? []
  if (major === undefined) return /mythos|fable/.test(model) ? 5 : 0
  return Number(`${major}.${minor}`)
}

const cannotThink = (model: string): boolean => /claude-(2|instant|3-(?!7))/.test(model)

const noThinking: Thinking = { members: {}, effort: {}, on: false, budget: 0 }

/** Settings for no thinking. Claude 5 models that refuse `disabled` get the effort `low`; earlier ones think only on request. */
const off = (
  { model }: Conversation,
  capabilities: AnthropicCapabilities,
  unsupported: UnsupportedFields,
): Thinking => {
  if (cannotThink(model)) return noThinking
  if (capabilities.sampling(model)) return { ...noThinking, members: { thinking: { type: 'disabled' } } }
  if (versionOf(model) < 5) return noThinking
  unsupported.add('reasoning')
  return { ...noThinking, effort: { effort: 'low' } }
}

const effortFor = (effort: Effort, capabilities: AnthropicCapabilities, model: string): Effort => {
  if (effort === 'minimal') return 'low'
  return effort === 'xhigh' && capabilities.sampling(model) ? 'high' : effort
}

const adaptive = ({ reasoning, model }: Conversation, capabilities: AnthropicCapabilities): Thinking => {
  const display = reasoning?.summary === 'none' ? { display: 'omitted' } : {}
  const effort = reasoning && effortOf(reasoning)
  return {
    members: { thinking: { type: 'adaptive', ...display } },
    effort: effort === undefined ? {} : { effort: effortFor(effort, capabilities, model) },
    on: true,
    budget: 0,
  }
}

/** With a budget, a turn with tool calls must begin with thinking, and tool_choice must not force a call. */
const mayThink = ({ toolChoice }: Conversation, messages: readonly JsonObject[]): boolean => {
  if (toolChoice?.kind === 'required' || toolChoice?.kind === 'tool') return false
  if (toolChoice?.kind === 'allowed' && toolChoice.required) return false
  const turn = messages.findLast(({ role }) => role === 'assistant')
  const blocks = objectsOf(turn?.content)
  const calls = blocks.some(({ type }) => type === 'tool_use')
  const [first] = blocks
  return !calls || first?.type === 'thinking' || first?.type === 'redacted_thinking'
}

const withBudget = (
  conversation: Conversation,
  messages: readonly JsonObject[],
  requested: number,
  unsupported: UnsupportedFields,
): Thinking => {
  const { maxTokens, reasoning } = conversation
  // max_tokens includes thinking, so the budget leaves at least 20 % for the answer.
  const most = maxTokens === undefined ? Number.POSITIVE_INFINITY : Math.trunc(maxTokens * 0.8)
  if (most < smallestBudget || !mayThink(conversation, messages)) {
    unsupported.add('reasoning')
    return noThinking
  }
  const budget = Math.max(smallestBudget, Math.min(requested, most))
  const display = reasoning?.summary === 'none' ? { display: 'omitted' } : {}
  return { members: { thinking: { type: 'enabled', budget_tokens: budget, ...display } }, effort: {}, on: true, budget }
}

/** The thinking settings for a request. `messages` are the translated messages. */
export const thinkingOf = (
  conversation: Conversation,
  messages: readonly JsonObject[],
  capabilities: AnthropicCapabilities,
  unsupported: UnsupportedFields,
): Thinking => {
  const { reasoning, model } = conversation
  if (reasoning === undefined) return noThinking
  const budget = budgetOf(reasoning)
  if (budget === 0) return off(conversation, capabilities, unsupported)
  if (cannotThink(model)) {
    unsupported.add('reasoning')
    return noThinking
  }
  const isOpen = reasoning.effort !== undefined || budget === undefined || budget < 0
  if (capabilities.adaptive(model) && (isOpen || !capabilities.sampling(model)))
    return adaptive(conversation, capabilities)
  return withBudget(conversation, messages, budget === undefined || budget < 0 ? usualBudget : budget, unsupported)
}
