import type { IncomingHttpHeaders } from 'node:http'
import { isObject, type JsonObject } from '#server/dialects/conversation/json.ts'
import { deadlineHeader } from '#server/gateway/deadlines/deadline-calls.ts'
import { AppError } from '#server/lib/app-error.ts'

const secondMs = 1000
/** The latest deadline, in days from now. */
const mostDays = 7

const unitMs: ReadonlyMap<string, number> = new Map([
  ['s', secondMs],
  ['m', 60 * secondMs],
  ['h', 3600 * secondMs],
  ['d', 86_400 * secondMs],
])

const duration = /^(\d{1,7})([smhd])$/
/** ISO 8601 with a time zone. */
const moment = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/

const invalid = (detail: string): AppError => new AppError('invalid_text_request', { params: { detail } })

const momentOf = (text: string, now: number): number => {
  const [, count, unit = ''] = duration.exec(text) ?? []
  if (count !== undefined) return now + Number(count) * (unitMs.get(unit) ?? 0)
  return moment.test(text) ? Date.parse(text) : Number.NaN
}

/** The deadline of a header or member in milliseconds since 1970. Throws AppError('invalid_text_request'). */
const readDeadline = (stated: unknown, now: number): number => {
  const at = typeof stated === 'string' ? momentOf(stated, now) : Number.NaN
  if (Number.isNaN(at))
    throw invalid('The deadline must be a duration such as 90s, 30m, 6h or 2d, or a time such as 2026-12-01T08:00:00Z')
  if (at - now < secondMs) throw invalid('The deadline is over')
  if (at - now > mostDays * 86_400 * secondMs) throw invalid(`The deadline must be within ${mostDays} days`)
  return at
}

/** The deadline that a request states, the header before the member of `metadata`; undefined for none. Throws AppError('invalid_text_request'). */
export const statedDeadline = (headers: IncomingHttpHeaders, body: JsonObject, now: number): number | undefined => {
  const header = headers[deadlineHeader]
  if (header !== undefined) return readDeadline(header, now)
  const { metadata } = body
  return isObject(metadata) && metadata.deadline !== undefined ? readDeadline(metadata.deadline, now) : undefined
}

/** The metadata without the deadline, which providers do not get; undefined where nothing else is in it. */
export const metadataWithout = (metadata: JsonObject): JsonObject | undefined => {
  const { deadline: _, ...rest } = metadata
  return Object.keys(rest).length === 0 ? undefined : rest
}
