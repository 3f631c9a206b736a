import type { Dialect } from '../../dialects/dialect.ts'
import { turnsBounds } from '../../dialects/request-rules.ts'
import { boundError } from '../../lib/json/json-bound-error.ts'
import { exceededBound, type JsonBounds, type ListBounds } from '../../lib/json/json-bounds.ts'

/**
 * What a body may hold, above what agents send: a conversation that fills a context of a million tokens has some thousands
 * of messages and 35,000 members, 200 tools with their schemas 10,000 members. At these bounds no step of a call keeps the
 * others waiting for more than about 100 ms.
 */
const bounds: Omit<JsonBounds, 'lists'> = {
  depth: 200,
  members: 100_000,
  containers: 100_000,
  texts: 300_000,
  // Embeddings may be asked for by up to 300,000 numbers of tokens.
  values: 1_000_000,
}

/** Lists in the bodies of OpenAI's embeddings and of rerank. */
const otherLists: readonly (readonly [string, ListBounds])[] = [
  ['input', turnsBounds],
  ['documents', turnsBounds],
]

/** What a body may hold: its lists are those of all dialects, and of two bounds of one name the wider holds. */
export const bodyBoundsOf = (dialects: readonly Pick<Dialect, 'requestRules'>[]): JsonBounds => {
  const lists = new Map<string, ListBounds>()
  for (const [name, { entries, parts }] of [
    ...otherLists,
    ...dialects.flatMap(({ requestRules }) => [...requestRules.lists]),
  ]) {
    const existing = lists.get(name)
    lists.set(name, {
      entries: Math.max(entries, existing?.entries ?? 0),
      parts: Math.max(parts, existing?.parts ?? 0),
    })
  }
  return { ...bounds, lists }
}

/** Bytes. Longer bodies are parsed in another thread, as parsing keeps all other calls waiting. */
export const largeBodyBytes = 1024 * 1024

/** Bytes. Longer bodies are taken only from callers who can pay for a call. */
export const paidBodyBytes = 64 * 1024

/** Characters. Shorter bodies can only be nested too deeply. */
const scannedFrom = 8 * 1024

/** Whether a text has more opening brackets than may be nested; those inside its texts count, too. */
const mayNestTooDeeply = (text: string): boolean => {
  let left = bounds.depth
  for (const bracket of ['{', '[']) {
    for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1)) {
      left -= 1
      if (left < 0) return true
    }
  }
  return false
}

/** Checks a body before it is parsed; `text` is the same as `raw`. Throws AppError('body_too_complex'). */
export const checkBounds = (raw: Buffer, text: string, all: JsonBounds): void => {
  if (text.length < scannedFrom && !mayNestTooDeeply(text)) return
  const exceeded = exceededBound(raw, all)
  if (exceeded !== undefined) throw boundError(exceeded)
}
