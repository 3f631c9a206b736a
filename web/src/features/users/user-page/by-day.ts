import type { UserUsage } from '../../../lib/api/contract.ts'
import { formatDate } from '../../../lib/text/format.ts'
import { readPicked } from '../../../lib/time/written-moment.ts'
import { startOfDay } from '../../../lib/time/zoned-time.ts'

export interface DayUse {
  /** `2026-11-20` */
  readonly day: string
  readonly quota: number
  readonly count: number
  readonly tokens: number
}

const secondsPerDay = 86_400
export const usageDays = 30

/** The last `count` dates in a zone, oldest first, today included. */
export const lastDays = (nowSeconds: number, count: number, zone: string | undefined): string[] => {
  const today = Date.parse(`${formatDate(nowSeconds, zone)}T00:00:00Z`)
  return Array.from({ length: count }, (_, index) =>
    new Date(today - (count - 1 - index) * secondsPerDay * 1000).toISOString().slice(0, 10),
  )
}

/** Unix seconds at which a date begins in a zone. */
export const startOfDate = (day: string, zone: string | undefined): number =>
  startOfDay(readPicked(`${day}T12:00`, zone) ?? 0, 0, zone)

/** Sums hours into days; an hour that begins before the first day counts to it. */
export const byDay = (
  hours: UserUsage['hours'],
  days: readonly string[],
  zone: string | undefined,
): readonly DayUse[] => {
  const sums = new Map(days.map((day) => [day, { day, quota: 0, count: 0, tokens: 0 }]))
  const first = sums.get(days[0] ?? '')
  for (const { at, quota, count, tokens } of hours) {
    const sum = sums.get(formatDate(at, zone)) ?? first
    if (!sum) continue
    sum.quota += quota
    sum.count += count
    sum.tokens += tokens
  }
  return [...sums.values()]
}
