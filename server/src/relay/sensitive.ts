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
  // What is spoken may be counted by its characters, and is then no text to be measured.
  const texts = [...measure(reader, call.model, call.body).texts, ...(typeof input === 'string' ? [input] : [])]
  const text = texts.join('\n').toLowerCase()
  return words.some((word) => text.includes(word))
}

// What JSON may write in another way than as itself.
const escapable = /["\\/\p{Cc}]/u

/** In larger bodies most bytes are images, which are no text to search. */
const small = 64 * 1024

/** Lists live as long as the options they come from. */
const known = new WeakMap<readonly string[], boolean>()

const areWrittenAsThemselves = (words: readonly string[]): boolean => {
  const before = known.get(words)
  if (before !== undefined) return before
  const are = words.every((word) => !escapable.test(word))
  known.set(words, are)
  return are
}

/** Looks at the bytes as they came: where nothing can be written differently, a word that is not there is nowhere. */
const cannotHold = ({ raw, text: known }: Pick<RelayCall, 'raw' | 'text'>, words: readonly string[]): boolean => {
  if (raw.length > small || !areWrittenAsThemselves(words)) return false
  const text = (known ?? raw.toString()).toLowerCase()
  return !text.includes('\\u') && words.every((word) => !text.includes(word))
}
