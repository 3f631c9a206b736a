import { measure, type PromptReader } from '../billing/counting/prompt.ts'
import type { RelayCall } from './call.ts'

/** Whether a prompt holds one of the lower-cased words, as a part of a word too. */
export const isSensitive = (
  call: Pick<RelayCall, 'raw' | 'body' | 'text' | 'model' | 'survey'>,
  words: readonly string[],
  reader: PromptReader,
): boolean => {
  if (words.length === 0) return false
  if (call.survey?.words === words) return call.survey.hasWord
  if (cannotHold(call, words)) return false
  const { input } = call.body
  // Text to be spoken may be counted by its characters, and is then not among the measured texts.
  const texts = [...measure(reader, call.model, call.body).texts, ...(typeof input === 'string' ? [input] : [])]
  const text = texts.join('\n').toLowerCase()
  return words.some((word) => text.includes(word))
}

// What JSON may escape.
const escapable = /["\\/\p{Cc}]/u

/** In larger bodies most bytes are images, which are no text to search. */
const small = 64 * 1024

/** Lists live as long as the options they come from. */
const plainLists = new WeakMap<readonly string[], boolean>()

const areNeverEscaped = (words: readonly string[]): boolean => {
  const before = plainLists.get(words)
  if (before !== undefined) return before
  const isPlain = words.every((word) => !escapable.test(word))
  plainLists.set(words, isPlain)
  return isPlain
}

/** Searches the bytes as they came: where nothing is escaped, a word that they do not hold is nowhere in the prompt. */
const cannotHold = ({ raw, text: shortText }: Pick<RelayCall, 'raw' | 'text'>, words: readonly string[]): boolean => {
  if (raw.length > small || !areNeverEscaped(words)) return false
  const text = (shortText ?? raw.toString()).toLowerCase()
  return !text.includes('\\u') && words.every((word) => !text.includes(word))
}
