import type { Conversation } from '../conversation/conversation.ts'
import { budgetOf, effortOf } from '../conversation/effort.ts'
import { defined, type JsonObject } from '../conversation/json.ts'
import { openaiEffort, thinksWithoutTools } from '../conversation/openai-models.ts'
import type { UnsupportedFields } from '../conversation/unsupported-fields.ts'
import type { ThinkingFacts, ThinkingSwitch } from '../facts/model-facts.ts'
import { familyOf } from '../facts/models.ts'
import { switched, thinkingAsked } from '../facts/thinking-switch.ts'
import type { ChatCapabilities } from './capabilities.ts'

/** Thinking options of chat completions, by the table of models and hosts in `dialects/facts`. */

/** Facts of a model that the table does not know, at a host that switches thinking in one way for all. */
const unknownModel = (by: ThinkingSwitch): ThinkingFacts => ({ when: 'asked', switch: by })

const byTable = (
  { reasoning = {} }: Conversation,
  { facts, by, capabilities }: { facts: ThinkingFacts; by: ThinkingSwitch; capabilities: ChatCapabilities },
  unsupported: UnsupportedFields,
): JsonObject => {
  const budget = budgetOf(reasoning)
  const off = budget === 0
  if (facts.when === 'never') {
    if (!off) unsupported.add('reasoning')
    return {}
  }
  if (!off) return thinkingAsked(by, facts, { effort: effortOf(reasoning), budget }, capabilities.host.budget)
  if (facts.when !== 'always') return switched(by, false, facts)
  unsupported.add('reasoning')
  const [least] = facts.efforts ?? []
  return least === undefined || by !== facts.switch ? {} : { reasoning_effort: least }
}

/** OpenAI's own models, and hosts that take `reasoning_effort` for all. */
const byEffort = (
  conversation: Conversation,
  capabilities: ChatCapabilities,
  unsupported: UnsupportedFields,
): string | undefined => {
  const { reasoning, model } = conversation
  if (reasoning === undefined) return undefined
  if (capabilities.effort(model))
    return capabilities.ownModels ? openaiEffort(conversation, unsupported) : effortOf(reasoning)
  // A model without reasoning needs no field to turn it off.
  if (effortOf(reasoning) !== 'none') unsupported.add('reasoning')
  return undefined
}

/** The members that set the model's thinking. Reports `reasoning` where they cannot express the request. */
export const thinkingMembers = (
  conversation: Conversation,
  capabilities: ChatCapabilities,
  unsupported: UnsupportedFields,
): JsonObject => {
  const { reasoning, model, tools } = conversation
  if (capabilities.ownModels && tools.length > 0 && thinksWithoutTools(model)) {
    if (reasoning !== undefined && effortOf(reasoning) !== 'none') unsupported.add('reasoning')
    return { reasoning_effort: 'none' }
  }
  if (reasoning === undefined) return {}
  const { thinking: by } = capabilities.host
  const facts = familyOf(model)?.thinking
  if (by === 'reasoning_effort' || (facts === undefined && by === undefined))
    return defined({ reasoning_effort: byEffort(conversation, capabilities, unsupported) })
  if (facts !== undefined) return byTable(conversation, { facts, by: by ?? facts.switch, capabilities }, unsupported)
  return by === undefined ? {} : byTable(conversation, { facts: unknownModel(by), by, capabilities }, unsupported)
}
