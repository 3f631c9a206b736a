import { boundError } from '../../lib/json/json-bound-error.ts'
import { exceededBound, type JsonBounds } from '../../lib/json/json-bounds.ts'

/**
 * What a body may hold, above what agents send: a conversation that fills a context of a million tokens has some thousands
 * of messages and 35,000 members, 200 tools with their schemas 10,000 members. At these bounds no step of a call keeps the
 * others waiting for more than about 100 ms.
 */
export const bodyBounds: JsonBounds = {
  depth: 200,
  members: 100_000,
  containers: 100_000,
  texts: 300_000,
  // Embeddings may be asked for by up to 300,000 numbers of tokens.
  values: 1_000_000,
  lists: new Map([
    ['messages', { entries: 10_000, parts: 50_000 }],
    ['contents', { entries: 10_000, parts: 50_000 }],
    ['input', { entries: 10_000, parts: 50_000 }],
    ['documents', { entries: 10_000, parts: 50_000 }],
    ['requests', { entries: 10_000, parts: 50_000 }],
    ['tools', { entries: 1_024, parts: 4_096 }],
    ['functions', { entries: 1_024, parts: 4_096 }],
  ]),
}

/** Bytes. Longer bodies are parsed in another thread, as parsing keeps all other calls waiting. */
export const largeBodyBytes = 1024 * 1024

/** Bytes. Longer bodies are taken only from callers who can pay for a call. */
export const paidBodyBytes = 64 * 1024

/** Characters. Shorter bodies can only be nested too deeply. */
const scannedFrom = 8 * 1024

/** Whether a text has more opening brackets than may be nested; those inside its texts count, too. */
const mayNestTooDeeply = (text: string): boolean => {
  let left = bodyBounds.depth
  for (const bracket of ['{', '[']) {
    for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1)) {
      left -= 1
      if (left < 0) return true
    }
  }
  return false
}

/** Checks a body before it is parsed; `text` is the same as `raw`. Throws AppError('body_too_complex'). */
export const checkBounds = (raw: Buffer, text: string): void => {
  if (text.length < scannedFrom && !mayNestTooDeeply(text)) return
  const exceeded = exceededBound(raw, bodyBounds)
  if (exceeded !== undefined) throw boundError(exceeded)
}
