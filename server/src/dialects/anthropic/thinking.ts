import type { Conversation, Effort } from '../conversation/conversation.ts'
import { budgetOf, effortOf } from '../conversation/effort.ts'
import { type JsonObject, objectsOf } from '../conversation/json.ts'
import type { UnsupportedFields } from '../conversation/unsupported-fields.ts'
import type { AnthropicCapabilities } from './capabilities.ts'

/** How Claude thinks (platform.claude.com/docs: thinking, effort, and the migration guides of each model). */

export interface Thinking {
  /** JsonObject of the request; the sampling that thinking forbids is taken away by the caller. */
  readonly members: JsonObject
  readonly effort: JsonObject
  readonly on: boolean
  /** Tokens, part of the bound; 0 when the model decides by itself. */
  readonly budget: number
}

const smallestBudget = 1024
const usualBudget = 8192

/** `claude-opus-4-7` → 4.7; 0 for the names of the third family, and 5 for families that came without a number. */
export const versionOf = (model: string): number => {
  const [, major, minor = '0'] = /claude-(?:[a-z]+-)(\d+)(?:[-.](\d{1,2})(?!\d))?/.exec(model) ?? []
  if (major === undefined) return /mythos|fable/.test(model) ? 5 : 0
  return Number(`${major}.${minor}`)
}

const cannotThink = (model: string): boolean => /claude-(2|instant|3-(?!7))/.test(model)

const silent: Thinking = { members: {}, effort: {}, on: false, budget: 0 }

/** Models of the fifth family think unless they are told to be brief; those before only when they are asked to. */
const off = (
  { model }: Conversation,
  capabilities: AnthropicCapabilities,
  unsupported: UnsupportedFields,
): Thinking => {
  if (cannotThink(model)) return silent
  if (capabilities.sampling(model)) return { ...silent, members: { thinking: { type: 'disabled' } } }
  if (versionOf(model) < 5) return silent
  unsupported.add('reasoning')
  return { ...silent, effort: { effort: 'low' } }
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

/** With a budget, a turn that calls tools must begin with its thought, and nobody may force a call. */
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
  // Thoughts count as what the client has bounded.
  const most = maxTokens === undefined ? Number.POSITIVE_INFINITY : Math.trunc(maxTokens * 0.8)
  if (most < smallestBudget || !mayThink(conversation, messages)) {
    unsupported.add('reasoning')
    return silent
  }
  const budget = Math.max(smallestBudget, Math.min(requested, most))
  const display = reasoning?.summary === 'none' ? { display: 'omitted' } : {}
  return { members: { thinking: { type: 'enabled', budget_tokens: budget, ...display } }, effort: {}, on: true, budget }
}

/** `messages` are those of the request. */
export const thinkingOf = (
  conversation: Conversation,
  messages: readonly JsonObject[],
  capabilities: AnthropicCapabilities,
  unsupported: UnsupportedFields,
): Thinking => {
  const { reasoning, model } = conversation
  if (reasoning === undefined) return silent
  const budget = budgetOf(reasoning)
  if (budget === 0) return off(conversation, capabilities, unsupported)
  if (cannotThink(model)) {
    unsupported.add('reasoning')
    return silent
  }
  const isOpen = reasoning.effort !== undefined || budget === undefined || budget < 0
  if (capabilities.adaptive(model) && (isOpen || !capabilities.sampling(model)))
    return adaptive(conversation, capabilities)
  return withBudget(conversation, messages, budget === undefined || budget < 0 ? usualBudget : budget, unsupported)
}
