import { measure, type PromptReader } from '../billing/counting/prompt.ts'
import type { RelayCall } from './call.ts'
import { promptReaderOf } from './usage/prompt-reader.ts'

type Searched = Pick<RelayCall, 'raw' | 'body' | 'text' | 'model' | 'survey'> & Partial<Pick<RelayCall, 'dialect'>>

/** True if a prompt holds one of the lower-cased words, as a part of a word too. `reader` is that of its dialect where it is absent. */
export const isSensitive = (call: Searched, words: readonly string[], reader?: PromptReader): boolean => {
  if (words.length === 0) return false
  const { survey, raw } = call
  if (survey?.words === words) return survey.hasWord
  if (raw.length <= small && (unescaped.get(words) ?? areNeverEscaped(words))) {
    // In a body without escapes, a word that its bytes do not contain is not in the prompt.
    const sent = (call.text ?? raw.toString()).toLowerCase()
    if (!sent.includes('\\u') && !holdsOne(sent, words)) return false
  }
  const { input } = call.body
  const measured = measure(reader ?? promptReaderOf(call), call.model, call.body).texts
  // Text to be spoken may be counted by its characters, and is then not among the measured texts.
  const texts = [...measured, ...(typeof input === 'string' ? [input] : [])]
  return holdsOne(texts.join('\n').toLowerCase(), words)
}

const holdsOne = (text: string, words: readonly string[]): boolean => {
  for (const word of words) if (text.includes(word)) return true
  return false
}

// Characters that JSON may escape.
const escapable = /["\\/\p{Cc}]/u

/** In larger bodies most bytes are images, which are no text to search. */
const small = 64 * 1024

/** Lists live as long as the options they come from. */
const unescaped = new WeakMap<readonly string[], boolean>()

const areNeverEscaped = (words: readonly string[]): boolean => {
  const isPlain = words.every((word) => !escapable.test(word))
  unescaped.set(words, isPlain)
  return isPlain
}
