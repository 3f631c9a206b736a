import { neverExpires } from '../../lib/contract.ts'
import { formatDateTime } from '../../lib/format.ts'

export const expirySpans = { hour: 3600, day: 86_400, month: 30 * 86_400 } as const

/** `2026-11-20 20:14:01` in local time; empty for never. */
export const printExpiry = (unixSeconds: number): string =>
  unixSeconds === neverExpires || unixSeconds === 0 ? '' : formatDateTime(unixSeconds)

const pattern = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[ T](\d{1,2}):(\d{2})(?::(\d{2}))?)?$/

/** Unix seconds of `yyyy-MM-dd HH:mm:ss` in local time; −1 for never (empty or `-1`); undefined when it is no date. */
export const readExpiry = (text: string): number | undefined => {
  const trimmed = text.trim()
  if (trimmed === '' || trimmed === String(neverExpires)) return neverExpires
  const [whole, ...parts] = pattern.exec(trimmed) ?? []
  if (whole === undefined) return undefined
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.map((part) => Number(part ?? 0))
  const date = new Date(year, month - 1, day, hour, minute, second)
  // The calendar would turn 31 April into 1 May: what it changed was no date.
  const kept = date.getMonth() === month - 1 && date.getDate() === day && date.getHours() === hour && minute < 60
  return kept && second < 60 ? Math.floor(date.getTime() / 1000) : undefined
}
