import type { Conversation, Effort, ToolChoice } from '../conversation/conversation.ts'
import { budgetOf, effortOf } from '../conversation/effort.ts'
import { type JsonObject, objectsOf } from '../conversation/json.ts'
import type { UnsupportedFields } from '../conversation/unsupported-fields.ts'
import { notClaude } from '../facts/claude.ts'
import type { ClaudeFacts } from '../facts/model-facts.ts'
import { familyOf } from '../facts/models.ts'

/** Differences between hosts and models of this dialect; facts about models are in the table of `dialects/facts`. */
export interface AnthropicCapabilities {
  /** `max_tokens` for requests without one: Anthropic requires it. */
  readonly maxTokens: (model: string) => number
  /** True if pictures and documents may be URLs. */
  readonly urls: boolean
  /** True if answers can be bound to a JSON schema. */
  readonly schemas: (model: string) => boolean
  /** True if the model takes adaptive thinking; older models take a budget in tokens. */
  readonly adaptive: (model: string) => boolean
  /** True if the model takes sampling settings and thinking budgets; newer models refuse both. */
  readonly sampling: (model: string) => boolean
  /** True if instructions may stand among the turns. */
  readonly laterInstructions: (model: string) => boolean
  /** True if temperature and `top_p` may be set together. */
  readonly bothSamplings: (model: string) => boolean
  /** False for hosts that refuse a forced tool beside the thinking of some models. */
  readonly forcedBesideThinking: boolean
}

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

/** Facts about the model in this dialect. */
export const claudeFacts = (model: string): ClaudeFacts => familyOf(model)?.claude ?? notClaude

const noThinking: Thinking = { members: {}, effort: {}, on: false, budget: 0 }
const stoppedBy = (type: string): Thinking => ({ ...noThinking, members: { thinking: { type } } })
const switchedOff = stoppedBy('disabled')

/** Settings for no thinking. Models that always think get the effort `low`. */
const off = ({ thinks, stopped }: ClaudeFacts, unsupported: UnsupportedFields): Thinking => {
  if (!thinks || stopped === 'unasked') return noThinking
  if (stopped !== 'never') return stoppedBy(stopped)
  unsupported.add('reasoning')
  return { ...noThinking, effort: { effort: 'low' } }
}

const effortFor = (effort: Effort, { sampling }: ClaudeFacts): Effort => {
  if (effort === 'minimal') return 'low'
  return effort === 'xhigh' && sampling ? 'high' : effort
}

/** How thoughts are shown. Since Claude 4.7 the text of thoughts comes only on request. */
const display = ({ reasoning }: Conversation, { hidesThoughts }: ClaudeFacts): JsonObject => {
  const { summary } = reasoning ?? {}
  if (summary === 'none') return { display: 'omitted' }
  return hidesThoughts && summary !== undefined ? { display: 'summarized' } : {}
}

const adaptive = (conversation: Conversation, facts: ClaudeFacts): Thinking => {
  const effort = conversation.reasoning && effortOf(conversation.reasoning)
  return {
    members: { thinking: { type: 'adaptive', ...display(conversation, facts) } },
    effort: effort === undefined ? {} : { effort: effortFor(effort, facts) },
    on: true,
    budget: 0,
  }
}

export const isForced = (choice: ToolChoice | undefined): boolean =>
  choice?.kind === 'required' || choice?.kind === 'tool' || (choice?.kind === 'allowed' && choice.required)

/** With a budget, a turn with tool calls must begin with thinking, and tool_choice must not force a call. */
const mayThink = ({ toolChoice }: Conversation, messages: readonly JsonObject[]): boolean => {
  if (isForced(toolChoice)) return false
  const turn = messages.findLast(({ role }) => role === 'assistant')
  const blocks = objectsOf(turn?.content)
  const calls = blocks.some(({ type }) => type === 'tool_use')
  const [first] = blocks
  return !calls || first?.type === 'thinking' || first?.type === 'redacted_thinking'
}

const withBudget = (
  conversation: Conversation,
  messages: readonly JsonObject[],
  { requested, usualAnswer, facts }: { requested: number; usualAnswer: number; facts: ClaudeFacts },
  unsupported: UnsupportedFields,
): Thinking => {
  const { maxTokens } = conversation
  // max_tokens includes thinking, so the budget leaves at least 20 % for the answer. Without a bound the answer comes on top.
  const most = maxTokens === undefined ? facts.mostOutput - usualAnswer : Math.trunc(maxTokens * 0.8)
  if (most < smallestBudget || !mayThink(conversation, messages)) {
    unsupported.add('reasoning')
    return noThinking
  }
  const budget = Math.max(smallestBudget, Math.min(requested, most))
  const members = { thinking: { type: 'enabled', budget_tokens: budget, ...display(conversation, facts) } }
  return { members, effort: {}, on: true, budget }
}

/** True if the model thinks by default, and then refuses the forced tool of the request. */
const mustNotThink = ({ toolChoice, tools, model }: Conversation): boolean => {
  const thinking = familyOf(model)?.thinking
  return isForced(toolChoice) && tools.length > 0 && thinking?.forcedTools === false && thinking.when === 'default'
}

/** The thinking settings for a request. `messages` are the translated messages. */
export const thinkingOf = (
  conversation: Conversation,
  messages: readonly JsonObject[],
  capabilities: AnthropicCapabilities,
  unsupported: UnsupportedFields,
): Thinking => {
  const { reasoning, model, toolChoice } = conversation
  const facts = claudeFacts(model)
  const budget = reasoning && budgetOf(reasoning)
  if (budget !== 0 && mustNotThink(conversation)) {
    unsupported.add('reasoning')
    return switchedOff
  }
  if (reasoning === undefined) return noThinking
  if (budget === 0) return off(facts, unsupported)
  if (!facts.thinks) {
    unsupported.add('reasoning')
    return noThinking
  }
  const isOpen = reasoning.effort !== undefined || budget === undefined || budget < 0
  if (capabilities.adaptive(model) && (isOpen || !capabilities.sampling(model))) {
    if (capabilities.forcedBesideThinking || !facts.hostsForceOrThink || !isForced(toolChoice))
      return adaptive(conversation, facts)
    unsupported.add('reasoning')
    return noThinking
  }
  const requested = budget === undefined || budget < 0 ? usualBudget : budget
  const usualAnswer = capabilities.maxTokens(model)
  return withBudget(conversation, messages, { requested, usualAnswer, facts }, unsupported)
}
