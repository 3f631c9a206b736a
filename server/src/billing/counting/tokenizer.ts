import { setImmediate } from 'node:timers/promises'
import { slices } from './slices.ts'
import type { Encoding } from './token-counter.ts'

interface Vocabulary {
  countTokens(text: string, options: { disallowedSpecial: Set<string> }): number
  setMergeCacheSize(size: number): void
}

const cachedWords = 20_000
const slicesAtOnce = 64

/** Vocabularies have several megabytes, so they are loaded with the first text. */
const load: Record<Encoding, () => Promise<Vocabulary>> = {
  cl100k_base: () => import('gpt-tokenizer/encoding/cl100k_base'),
  o200k_base: () => import('gpt-tokenizer/encoding/o200k_base'),
}

const loaded = new Map<Encoding, Promise<Vocabulary>>()

const vocabularyOf = (encoding: Encoding): Promise<Vocabulary> => {
  const cached = loaded.get(encoding)
  if (cached !== undefined) return cached
  const fresh = load[encoding]().then((vocabulary) => {
    vocabulary.setMergeCacheSize(cachedWords)
    return vocabulary
  })
  loaded.set(encoding, fresh)
  return fresh
}

/** Names of control tokens inside a text are counted as text. */
const asText = { disallowedSpecial: new Set<string>() }

/**
 * Characters above which a sample is counted; more than fit into most contexts. A megabyte of random letters takes a tokenizer
 * eight seconds, and a call cannot end before it is counted.
 */
const mostCounted = 1_000_000

/**
 * Tokens of all texts together. Above `mostCounted` characters the count is extrapolated from a sample that is spread evenly.
 * Yields to the event loop between slices, so that a long text does not delay short ones.
 */
export const countTokens = async (encoding: Encoding, texts: readonly string[]): Promise<number> => {
  const vocabulary = await vocabularyOf(encoding)
  const characters = texts.reduce((sum, text) => sum + text.length, 0)
  const share = Math.min(1, mostCounted / characters)
  let passed = 0
  let counted = 0
  let tokens = 0
  let slicesDone = 0
  for (const text of texts) {
    for (const slice of slices(text)) {
      passed += slice.length
      if (counted > passed * share) continue
      counted += slice.length
      tokens += vocabulary.countTokens(slice, asText)
      slicesDone += 1
      if (slicesDone % slicesAtOnce === 0) await setImmediate()
    }
  }
  return share === 1 ? tokens : Math.round((tokens * characters) / counted)
}
