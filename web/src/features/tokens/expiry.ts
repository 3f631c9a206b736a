import { neverExpires } from '../../lib/api/contract.ts'
import { formatDateTime } from '../../lib/text/format.ts'
import { timeZone } from '../../lib/time/time-zone.ts'
import { readPicked } from '../../lib/time/zoned-time.ts'

export const expirySpans = { hour: 3600, day: 86_400, month: 30 * 86_400 } as const

/** `2026-11-20 20:14:01` in the chosen zone; empty for never. */
export const printExpiry = (unixSeconds: number, zone = timeZone()): string =>
  unixSeconds === neverExpires || unixSeconds === 0 ? '' : formatDateTime(unixSeconds, zone)

const pattern = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[ T](\d{1,2}):(\d{2})(?::(\d{2}))?)?$/

/** Unix seconds of `yyyy-MM-dd HH:mm:ss` in the chosen zone; −1 for never (empty or `-1`); undefined when it is no date. */
export const readExpiry = (text: string, zone = timeZone()): number | undefined => {
  const trimmed = text.trim()
  if (trimmed === '' || trimmed === String(neverExpires)) return neverExpires
  const [whole, ...parts] = pattern.exec(trimmed) ?? []
  if (whole === undefined) return undefined
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.map((part) => Number(part ?? 0))
  const date = new Date(Date.UTC(year, month - 1, day, hour, minute, second))
  // The calendar turns 31 April into 1 May: a date that it changes is invalid.
  const kept = date.getUTCMonth() === month - 1 && date.getUTCDate() === day && date.getUTCHours() === hour
  return kept && minute < 60 && second < 60 ? readPicked(date.toISOString().slice(0, 19), zone) : undefined
}
