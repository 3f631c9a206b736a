import { setImmediate } from 'node:timers/promises'
import type { Encoding } from './encodings.ts'
import { slices } from './slices.ts'

interface Vocabulary {
  countTokens(text: string, options: { disallowedSpecial: Set<string> }): number
  setMergeCacheSize(size: number): void
}

const rememberedWords = 20_000
const slicesAtOnce = 64

/** Tables of several megabytes: read when the first text needs them. */
const load: Record<Encoding, () => Promise<Vocabulary>> = {
  cl100k_base: () => import('gpt-tokenizer/encoding/cl100k_base'),
  o200k_base: () => import('gpt-tokenizer/encoding/o200k_base'),
}

const loaded = new Map<Encoding, Promise<Vocabulary>>()

const vocabularyOf = (encoding: Encoding): Promise<Vocabulary> => {
  const known = loaded.get(encoding)
  if (known !== undefined) return known
  const fresh = load[encoding]().then((vocabulary) => {
    vocabulary.setMergeCacheSize(rememberedWords)
    return vocabulary
  })
  loaded.set(encoding, fresh)
  return fresh
}

/** Names of control tokens inside a text are text. */
const asText = { disallowedSpecial: new Set<string>() }

/** Tokens of all texts together. Breathes between slices, so that a long text does not keep short ones waiting. */
export const countTokens = async (encoding: Encoding, texts: readonly string[]): Promise<number> => {
  const vocabulary = await vocabularyOf(encoding)
  let tokens = 0
  let slicesDone = 0
  for (const text of texts) {
    for (const slice of slices(text)) {
      tokens += vocabulary.countTokens(slice, asText)
      slicesDone += 1
      if (slicesDone % slicesAtOnce === 0) await setImmediate()
    }
  }
  return tokens
}
