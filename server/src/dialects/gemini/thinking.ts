import { ownMember } from '@tollgate/contract/own-member'
import type { Reasoning } from '../conversation/conversation.ts'
import { budgetOf, effortOf } from '../conversation/effort.ts'
import { defined, isObject, type JsonObject } from '../conversation/json.ts'
import type { UnsupportedFields } from '../conversation/unsupported-fields.ts'
import { notGemini } from '../facts/gemini.ts'
import { type GeminiFacts, nearestEffort, withinBudget } from '../facts/model-facts.ts'
import { familyOf } from '../facts/models.ts'
import { field, spellings } from './names.ts'

/** Thinking settings of Gemini's models (ai.google.dev/gemini-api/docs/thinking), by the table in `dialects/facts`. */

const factsOf = (model: string): GeminiFacts => familyOf(model)?.gemini ?? notGemini

/** True for Gemini 3 and later, which take thinking levels. */
export const takesLevels = (model: string): boolean => factsOf(model).levels !== undefined

/** The thinking level nearest to the requested one; undefined where the model has no levels. */
const levelOf = (reasoning: Reasoning, { levels }: GeminiFacts): string | undefined =>
  levels === undefined ? undefined : nearestEffort(levels, effortOf(reasoning) ?? 'none')

/** The thinkingConfig for the requested reasoning. */
export const thinkingOf = (reasoning: Reasoning, model: string, unsupported: UnsupportedFields): JsonObject => {
  const facts = factsOf(model)
  const budget = budgetOf(reasoning)
  const off = budget === 0
  if (!facts.thinks) {
    if (!off) unsupported.add('reasoning')
    return {}
  }
  const shown = off || reasoning.summary === 'none' ? {} : { includeThoughts: true }
  if (off && !facts.canStop) unsupported.add('reasoning')
  if (facts.levels !== undefined && (off || reasoning.effort !== undefined))
    return { thinkingConfig: { thinkingLevel: levelOf(reasoning, facts), ...shown } }
  return { thinkingConfig: { ...defined({ thinkingBudget: accepted(budget, facts) }), ...shown } }
}

/** The budget that the model accepts: 0 and -1 have meanings of their own. */
const accepted = (requested: number | undefined, { budget, canStop, levels }: GeminiFacts): number | undefined => {
  if (requested === undefined || budget === undefined || requested < 0) return requested
  return requested === 0 && (canStop || levels !== undefined) ? 0 : withinBudget(requested, budget)
}

/** The name as the object spells it. */
const spelled = (name: string, object: JsonObject): string =>
  [...spellings([name])].find((spelling) => Object.hasOwn(object, spelling)) ?? name

const budgetNames = [...spellings(['thinkingBudget'])]

/** generationConfig with a budget that the model accepts; undefined where it does. For requests in Google's own dialect. */
export const withAcceptedBudget = (body: JsonObject, model: string): JsonObject | undefined => {
  const settings = field(body, 'generationConfig')
  const config = isObject(settings) ? field(settings, 'thinkingConfig') : undefined
  if (!isObject(settings) || !isObject(config)) return undefined
  const name = budgetNames.find((spelling) => typeof ownMember(config, spelling) === 'number')
  const requested = name === undefined ? undefined : ownMember(config, name)
  if (name === undefined || typeof requested !== 'number') return undefined
  const budget = accepted(requested, factsOf(model))
  if (budget === requested || budget === undefined) return undefined
  const within = { ...config, [name]: budget }
  return { [spelled('generationConfig', body)]: { ...settings, [spelled('thinkingConfig', settings)]: within } }
}
