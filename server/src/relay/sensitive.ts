import { measure } from '../billing/counting/prompt.ts'
import type { RelayCall } from './call.ts'

/** Whether a prompt holds one of the lower-cased words, as a part of a word too (relay reference §20.1, M-38). */
export const isSensitive = (call: Pick<RelayCall, 'body' | 'path' | 'model'>, words: readonly string[]): boolean => {
  if (words.length === 0) return false
  const text = measure(call.model, call.path, call.body).texts.join('\n').toLowerCase()
  return words.some((word) => text.includes(word))
}
