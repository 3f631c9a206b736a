import { ownMember } from '@tollgate/contract/own-member'
import type { Effort } from '../conversation/conversation.ts'
import { isObject, type JsonObject, membersOf } from '../conversation/json.ts'
import {
  acceptedEffort,
  type ThinkingBudget,
  type ThinkingFacts,
  type ThinkingSwitch,
  withinBudget,
} from './model-facts.ts'

/** Members of chat completions that set a model's thinking, in the form of its host. */

/** Thinking settings of a request. */
export interface AskedThinking {
  readonly effort: Effort | undefined
  /** Tokens; undefined or negative leaves them to the model. */
  readonly budget: number | undefined
}

const flagOf = ({ flag }: ThinkingFacts): string => flag ?? 'enable_thinking'

/** The members that switch thinking on or off. */
export const switched = (by: ThinkingSwitch, on: boolean, facts: ThinkingFacts): JsonObject => {
  switch (by) {
    case 'thinking':
      return { thinking: { type: on ? (facts.on ?? 'enabled') : 'disabled' } }
    case 'enable_thinking':
      return { enable_thinking: on }
    case 'chat_template_kwargs':
      return { chat_template_kwargs: { [flagOf(facts)]: on } }
    case 'reasoning_effort':
      return on ? {} : { reasoning_effort: 'none' }
  }
}

/** The members for the requested thinking. `budget` are the host's bounds. */
export const thinkingAsked = (
  by: ThinkingSwitch,
  facts: ThinkingFacts,
  { effort, budget }: AskedThinking,
  bounds: ThinkingBudget | undefined = facts.budget,
): JsonObject => {
  const nearest = effort === undefined || facts.efforts === undefined ? undefined : acceptedEffort(facts, effort)
  const takesEffort = by === 'reasoning_effort' || by === facts.switch
  const tokens = budget === undefined || budget <= 0 || by !== 'enable_thinking' ? undefined : budget
  return {
    ...switched(by, true, facts),
    ...(takesEffort && nearest !== undefined ? { reasoning_effort: nearest } : {}),
    ...(tokens === undefined ? {} : { thinking_budget: bounds === undefined ? tokens : withinBudget(tokens, bounds) }),
  }
}

/** All members that any host reads of thinking. */
const members = ['thinking', 'enable_thinking', 'thinking_budget', 'reasoning_effort', 'reasoning'] as const

/** Thinking settings of a request in chat completions; undefined if it has none. */
export const saidOfThinking = (body: JsonObject, facts: ThinkingFacts): boolean | undefined => {
  const { type } = membersOf(body.thinking)
  const flag = ownMember(membersOf(body.chat_template_kwargs), flagOf(facts))
  const { enabled, effort } = membersOf(body.reasoning)
  if (type === 'disabled' || body.enable_thinking === false || flag === false || enabled === false) return false
  if (body.reasoning_effort === 'none' || effort === 'none') return false
  const isSaid = members.some((name) => body[name] !== undefined && body[name] !== null) || flag === true
  return isSaid ? true : undefined
}

/** True if the model thinks in this call. */
export const thinksIn = (body: JsonObject, facts: ThinkingFacts): boolean =>
  facts.when === 'always' || (saidOfThinking(body, facts) ?? facts.when === 'default')

/** The changes that switch thinking off in a request that may ask for it. */
export const switchedOff = (body: JsonObject, by: ThinkingSwitch, facts: ThinkingFacts): Record<string, unknown> => {
  const asked = Object.fromEntries(members.filter((name) => Object.hasOwn(body, name)).map((name) => [name, undefined]))
  const off = switched(by, false, facts)
  const flags = off.chat_template_kwargs
  const { chat_template_kwargs: sent } = body
  return isObject(flags) && isObject(sent)
    ? { ...asked, chat_template_kwargs: { ...sent, ...flags } }
    : { ...asked, ...off }
}
