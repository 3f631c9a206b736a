import type { Effort, Reasoning } from '../conversation/conversation.ts'
import { budgetOf, effortOf } from '../conversation/effort.ts'
import { defined, type JsonObject } from '../conversation/json.ts'
import type { UnsupportedFields } from '../conversation/unsupported-fields.ts'

/** Thinking settings of Gemini's models (ai.google.dev/gemini-api/docs/thinking). */

const thinks = (model: string): boolean => !/gemini-(1|2\.0)/.test(model)

/** Tokens; the lowest thinking budget of Gemini 2.5 Pro. */
const leastPro = 128

/** The nearest thinking level that all models of the family accept. */
const levelOf = (effort: Effort, model: string): string => {
  if (effort === 'none' || effort === 'minimal') return /gemini-3-flash/.test(model) ? 'minimal' : 'low'
  if (effort === 'medium') return /gemini-3-pro/.test(model) ? 'high' : 'medium'
  return effort === 'low' ? 'low' : 'high'
}

/** The thinkingConfig for the requested reasoning. `levels` is true for models that take levels instead of budgets. */
export const thinkingOf = (
  reasoning: Reasoning,
  model: string,
  levels: (model: string) => boolean,
  unsupported: UnsupportedFields,
): JsonObject => {
  const budget = budgetOf(reasoning)
  const off = budget === 0
  if (!thinks(model)) {
    if (!off) unsupported.add('reasoning')
    return {}
  }
  const shown = off || reasoning.summary === 'none' ? {} : { includeThoughts: true }
  if (levels(model) && (off || reasoning.effort !== undefined)) {
    if (off) unsupported.add('reasoning')
    return { thinkingConfig: { thinkingLevel: levelOf(effortOf(reasoning) ?? 'none', model), ...shown } }
  }
  const cannotStop = off && /2\.5-pro/.test(model)
  if (cannotStop) unsupported.add('reasoning')
  return { thinkingConfig: { ...defined({ thinkingBudget: cannotStop ? leastPro : budget }), ...shown } }
}
