import { isObject, parseJson } from '@tollgate/contract/json'
/** Vertex AI: its key is a JSON document of several lines. */
export const vertexType = 41

/** Splits a comma list as channels store models and groups: trimmed, without blanks and repetitions, order kept. */
export const splitList = (list: string): string[] => [
  ...new Set(
    list
      .split(',')
      .map((word) => word.trim())
      .filter((word) => word !== ''),
  ),
]

/** The keys in a key text: one per non-empty line, each once, except for types whose key is a document. */
export const keysOf = (type: number, text: string): string[] => {
  if (type === vertexType) return text.trim() === '' ? [] : [text.trim()]
  const lines = text.split(/\r?\n/).map((line) => line.trim())
  return [...new Set(lines.filter((line) => line !== ''))]
}

/** The object that a JSON text holds; undefined when it is empty, not JSON or not an object. */
export const jsonObject = (text: string | null): Readonly<Record<string, unknown>> | undefined => {
  if (text === null || text.trim() === '') return undefined
  const value = parseJson(text)
  return isObject(value) ? value : undefined
}
