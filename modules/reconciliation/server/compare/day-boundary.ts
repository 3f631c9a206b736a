import { completionTokens, promptTokens } from '#server/billing/usage.ts'
import type { OwnUsage } from '../own-usage.ts'
import { daySeconds, type Figures, hourSeconds } from '../report.ts'
import { statesTokens } from './volume.ts'

/** One model on one day of a report. */
export interface ReportedDay {
  /** Start of the day in the report, as if it were one of UTC; unix seconds. */
  readonly at: number
  readonly figures: Figures
  /** 0 where the report has nothing of this model on this day. */
  readonly lines: number
}

/** Offsets of the time zones of the world, in hours. */
const leastOffset = -12
const mostOffset = 14

/** The hours of a day that begins so many hours before that of UTC. */
export const ownOfDay = (own: readonly OwnUsage[], day: number, offset: number): readonly OwnUsage[] => {
  const start = day - offset * hourSeconds
  return own.filter(({ at }) => at >= start && at < start + daySeconds)
}

const sumOf = (own: readonly OwnUsage[], of: (usage: OwnUsage['usage']) => number): number =>
  own.reduce((sum, { usage }) => sum + of(usage), 0)

const tokensOf = (usage: OwnUsage['usage']): number => promptTokens(usage) + completionTokens(usage)

const agrees = (own: readonly OwnUsage[], { figures, lines }: ReportedDay): boolean => {
  if (lines === 0) return own.length === 0
  const { calls, input, cacheRead, cacheWrite, output } = figures
  const isSameCalls = calls === null || calls === sumOf(own, ({ calls }) => calls)
  const reported = (input ?? 0) + (cacheRead ?? 0) + (cacheWrite ?? 0) + (output ?? 0)
  return isSameCalls && (!statesTokens(figures) || reported === sumOf(own, tokensOf))
}

const isCounted = ({ figures, lines }: ReportedDay): boolean =>
  lines === 0 || figures.calls !== null || statesTokens(figures)

const hasMore = (own: readonly OwnUsage[], { figures }: ReportedDay): boolean =>
  figures.calls === null
    ? (figures.input ?? 0) > sumOf(own, promptTokens)
    : figures.calls > sumOf(own, ({ calls }) => calls)

/**
 * The time zone by whose days a model's use in the report is that of the log, to the token, where it is not by the days of `offset`:
 * calls that one day lacks stand on the day before or after. `own` has the hours around the period, too. undefined where there is none,
 * or where only one of several days would be explained.
 */
export const findDayBoundary = (
  own: readonly OwnUsage[],
  days: readonly ReportedDay[],
  offset: number,
): number | undefined => {
  if (days.length === 0 || !days.every(isCounted)) return undefined
  const different = days.filter((day) => !agrees(ownOfDay(own, day.at, offset), day))
  const [only] = different
  if (only === undefined) return undefined
  // Calls that a single day has too few of may never have been reported.
  if (different.length < 2 && (days.length > 1 || !hasMore(ownOfDay(own, only.at, offset), only))) return undefined
  const offsets = Array.from({ length: mostOffset - leastOffset + 1 }, (_, index) => leastOffset + index)
  return offsets
    .toSorted((left, right) => Math.abs(left - offset) - Math.abs(right - offset))
    .find((other) => other !== offset && days.every((day) => agrees(ownOfDay(own, day.at, other), day)))
}
