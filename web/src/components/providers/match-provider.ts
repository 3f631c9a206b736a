import type { ChannelType } from '../../lib/api/contract.ts'

/** Beginnings of keys that only one provider issues, the longest first. */
const keyStarts: readonly (readonly [start: string, type: number])[] = [
  ['sk-svcacct-', 1],
  ['sk-proj-', 1],
  ['sk-ant-', 14],
  ['sk-or-', 20],
  ['fastgpt-', 22],
  ['AIza', 24],
  ['xai-', 48],
  ['AKIA', 33],
  ['bce-v3/', 46],
  ['jina_', 38],
  ['app-', 37],
  ['sk-', 1],
]

const shortestKey = 16

/** True for text that looks like a key: one long word with digits, or one that begins like a key. */
export const isKey = (text: string): boolean => {
  const word = text.trim()
  if (word.length < shortestKey || /\s/.test(word)) return false
  return keyStarts.some(([start]) => word.startsWith(start)) || (word.length >= 30 && /\d/.test(word))
}

/** The type whose provider issues keys like this one; `sk-` alone counts as OpenAI. */
export const typeOfKey = (key: string): number | undefined =>
  keyStarts.find(([start]) => key.trim().startsWith(start))?.[1]

/** A found type, with the model that the search matched where it was no name. */
export interface FoundProvider {
  readonly type: ChannelType
  readonly model: string | undefined
}

/** Types whose name or address contains the text, then those with such a model. All of them for an empty text. */
export const findProviders = (types: readonly ChannelType[], search: string): readonly FoundProvider[] => {
  const text = search.trim().toLowerCase()
  if (text === '') return types.map((type) => ({ type, model: undefined }))
  const named: FoundProvider[] = []
  const serving: FoundProvider[] = []
  for (const type of types) {
    const names = `${type.name} ${type.label.zh} ${type.label.en} ${type.base_url}`.toLowerCase()
    if (names.includes(text)) {
      named.push({ type, model: undefined })
      continue
    }
    const model = type.models.find((name) => name.toLowerCase().includes(text))
    if (model !== undefined) serving.push({ type, model })
  }
  return [...named, ...serving]
}
