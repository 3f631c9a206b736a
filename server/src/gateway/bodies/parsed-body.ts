import { AppError } from '../../lib/app-error.ts'
import type { JsonBounds } from '../../lib/json/json-bounds.ts'
import type { BodySurvey } from '../../relay/call.ts'
import { checkBounds } from './body-bounds.ts'

export interface ParsedBody {
  /** The bytes of the JSON text. */
  readonly raw: Buffer
  readonly body: Record<string, unknown>
  /** `raw` as a text; undefined where that is long. */
  readonly text: string | undefined
  /** Of large bodies only. */
  readonly survey?: BodySurvey | undefined
}

/** Bytes. A longer text would take more memory while its call runs than to make it again takes time. */
const mostText = 8 * 1024

const hasByteOrderMark = (bytes: Buffer): boolean => bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf

/** The bytes behind a byte order mark. */
export const withoutMark = (bytes: Buffer): Buffer => (hasByteOrderMark(bytes) ? bytes.subarray(3) : bytes)

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
  const raw = withoutMark(bytes)
  const text = raw.toString()
  checkBounds(raw, text, bounds)
  return { raw, body: parsedObject(text), text: raw.length > mostText ? undefined : text }
}
