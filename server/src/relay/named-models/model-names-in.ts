import { isObject, listOf } from '../../dialects/conversation/json.ts'
import { lowered } from './member-names.ts'

/** Members of an entry that name its model, whatever else stands there. */
const ofEntry = /model|fallback|preset/

/**
 * All names of models in a value: a text, a list, entries such as `{"model": …}`, or a map from one model to others, as LiteLLM has it.
 */
export const modelNamesIn = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return value === '' ? [] : [value]
  if (Array.isArray(value)) return listOf(value).flatMap(modelNamesIn)
  if (!isObject(value)) return []
  const own = Object.entries(value).filter(([name]) => ofEntry.test(lowered(name)))
  if (own.length > 0) return own.flatMap(([, inner]) => modelNamesIn(inner))
  return Object.entries(value).flatMap(([name, inner]) => {
    const names = modelNamesIn(inner)
    return names.length === 0 ? [] : [name, ...names]
  })
}
