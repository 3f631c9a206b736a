import type { Dialect } from '../../dialects/dialect.ts'
import { turnsBounds } from '../../dialects/request-rules.ts'
import { AppError } from '../../lib/app-error.ts'
import { boundError, exceededBound, type JsonBounds, type ListBounds } from '../../lib/json/json-bounds.ts'
import type { BodySurvey } from '../../relay/call.ts'

/**
 * Bounds of a body, above what agents send: a conversation that fills a context of a million tokens has some thousands of messages and
 * 35,000 members, 200 tools with their schemas 10,000 members. Within these bounds no step of a call blocks the others for more than
 * about 100 ms.
 */
const sharedBounds: Omit<JsonBounds, 'lists'> = {
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

/** Bounds of bodies in all dialects: of two bounds of one list the wider applies. */
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
  return { ...sharedBounds, lists }
}

/** Characters. Shorter bodies can only be nested too deeply. */
const scannedFrom = 8 * 1024

/** True if a text has more opening brackets than may be nested; those inside its texts count, too. */
const mayNestTooDeeply = (text: string): boolean => {
  let left = sharedBounds.depth
  for (const bracket of ['{', '[']) {
    for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1)) {
      left -= 1
      if (left < 0) return true
    }
  }
  return false
}

/** Checks a body before it is parsed. Throws AppError('body_too_complex'). */
const checkBounds = (raw: Buffer, bounds: JsonBounds): void => {
  const exceeded = exceededBound(raw, bounds)
  if (exceeded !== undefined) throw boundError(exceeded)
}

export interface ParsedBody {
  /** The bytes of the JSON text. */
  readonly raw: Buffer
  readonly body: Record<string, unknown>
  /** `raw` as a text; undefined where that is long. */
  readonly text: string | undefined
  /** Set for large bodies only: what prices and token counts need of the body. */
  readonly survey?: BodySurvey | undefined
}

/** Bytes. A longer text is not cached: its memory would cost more than to decode it again. */
const mostText = 8 * 1024

const hasByteOrderMark = (bytes: Buffer): boolean => bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf

/** The bytes behind a byte order mark. */
export const withoutMark = (bytes: Buffer): Buffer => (hasByteOrderMark(bytes) ? bytes.subarray(3) : bytes)

/** The error for an invalid body; `detail` is shown to the client. */
export const malformed = (detail: string): AppError => new AppError('invalid_request_body', { params: { detail } })

/** The object that a JSON text holds. Throws AppError('invalid_request_body') for anything else. */
export const parsedObject = (text: string): Record<string, unknown> => {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch (error) {
    throw malformed(error instanceof Error ? error.message : 'no JSON')
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw malformed('the body is no JSON object')
  return body as Record<string, unknown>
}

/** Parses a body at once. Throws AppError: `invalid_request_body`, `body_too_complex`. */
export const parseBody = (bytes: Buffer, bounds: JsonBounds): ParsedBody => {
  const raw = hasByteOrderMark(bytes) ? bytes.subarray(3) : bytes
  const text = raw.toString()
  if (text.length >= scannedFrom || mayNestTooDeeply(text)) checkBounds(raw, bounds)
  return { raw, body: parsedObject(text), text: raw.length > mostText ? undefined : text }
}
