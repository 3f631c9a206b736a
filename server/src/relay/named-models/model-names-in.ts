import { looksLikeModels } from '../../billing/declared/request-members.ts'
import { isObject, type JsonObject, listOf } from '../../dialects/conversation/json.ts'
import { lowered } from './member-names.ts'

/** Members of an entry that name its model, among any others. */
const ofEntry = /model|fallback|preset/

/** Members of an entry with users' texts, or tools with names that clients chose. */
const texts: ReadonlySet<string> = new Set(['messages', 'input', 'contents', 'system', 'prompt', 'tools', 'metadata'])

/**
 * All names of models in a value: a text, a list, entries such as `{"model": …}`, or a map from one model to others, as LiteLLM has it.
 */
export const modelNamesIn = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return value === '' ? [] : [value]
  if (Array.isArray(value)) return listOf(value).flatMap(modelNamesIn)
  if (!isObject(value)) return []
  if (Object.keys(value).some((name) => ofEntry.test(lowered(name)))) return namesOfEntry(value)
  return Object.entries(value).flatMap(([name, inner]) => {
    const names = modelNamesIn(inner)
    return names.length === 0 ? [] : [name, ...names]
  })
}

/** Names in the members of an entry, also those of the objects within it, such as an `extra_body`. */
const namesOfEntry = (entry: JsonObject): readonly string[] =>
  Object.entries(entry).flatMap(([name, inner]) => {
    const low = lowered(name)
    if (ofEntry.test(low)) return modelNamesIn(inner)
    if (texts.has(low)) return []
    const within = isObject(inner) ? [inner] : listOf(inner).filter(isObject)
    return within.flatMap(namesOfEntry)
  })

/** Names of models in the query of an address, which begins with its question mark or is empty. */
export const namesInQuery = (query: string): readonly string[] => {
  if (query.length < 2) return []
  return [...new URLSearchParams(query)].flatMap(([name, value]) =>
    looksLikeModels.test(lowered(name)) && value !== '' ? [value] : [],
  )
}
