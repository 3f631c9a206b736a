import { formatDateTime } from '../text/format.ts'
import { momentOf } from './zoned-time.ts'

/** `2026-11-20 20:14`, as fields for moments show it. */
export const printPicked = (unixSeconds: number, zone: string | undefined): string =>
  formatDateTime(unixSeconds, zone).slice(0, 16)

const written = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[ T](\d{1,2}):(\d{2})(?::(\d{2}))?)?$/

/** Unix seconds of `2026-11-20`, with `20:14` or `20:14:01` behind it, in a zone; undefined for what is no moment. */
export const readPicked = (text: string, zone: string | undefined): number | undefined => {
  const [whole, ...parts] = written.exec(text.trim()) ?? []
  if (whole === undefined) return undefined
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.map((part) => Number(part ?? 0))
  const date = new Date(Date.UTC(year, month - 1, day, hour, minute, second))
  // Date.UTC turns 31 April into 1 May: what it changes is invalid.
  const kept = date.getUTCMonth() === month - 1 && date.getUTCDate() === day && date.getUTCHours() === hour
  return kept && minute < 60 && second < 60 ? momentOf(date.getTime() / 1000, zone) : undefined
}
