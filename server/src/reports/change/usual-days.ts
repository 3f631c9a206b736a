import { bucketsOf, knownZone, pieceSeconds, piecesOf } from '../usage/usage-buckets.ts'
import type { ComparedPeriod } from './read-cells.ts'

/** Kinds of reference: the same weekday, other days, or the time before. */
export type ReferenceKind = 'weekday' | 'days' | 'before'

/** A period and those with which it is compared; none where nothing is stored of an earlier time. */
export interface ComparedPeriods {
  readonly period: ComparedPeriod
  readonly reference: readonly ComparedPeriod[]
  readonly kind: ReferenceKind
}

const { day, hour } = pieceSeconds
const week = 7
const mostWeeks = 4

const fullHour = (at: number): number => at - (at % hour)

/** Days of a reader's zone, oldest first, the last one of which holds `until`. Their edges are full hours, as sums have them. */
const daysUntil = (until: number, zone: string): readonly ComparedPeriod[] => {
  const from = until - (mostWeeks * week + 2) * day
  const starts = piecesOf(bucketsOf(day, knownZone(zone), from, until + 2 * day), from, until + 2 * day).map(({ at }) =>
    fullHour(at),
  )
  return starts
    .map((start, index) => ({ from: start, to: starts[index + 1] ?? start + day }))
    .filter((one) => one.from <= until)
}

/**
 * Yesterday of a reader, and its usual days: the same weekday of the four weeks before. Where sums begin (`begins`, unix seconds)
 * less than a week earlier, all whole days since then.
 */
export const yesterdayAndUsual = (now: number, zone: string, begins: number): ComparedPeriods => {
  const days = daysUntil(now, zone)
  const yesterday = days.length - 2
  const period = days[yesterday] ?? { from: fullHour(now) - day, to: fullHour(now) }
  const known = (index: number): ComparedPeriod[] =>
    days.slice(index, index + 1).filter((one) => index >= 0 && one.from >= begins)
  const weekdays = Array.from({ length: mostWeeks }, (_, weeks) => known(yesterday - week * (weeks + 1))).flat()
  if (weekdays.length > 0) return { period, reference: weekdays, kind: 'weekday' }
  const others = Array.from({ length: week - 1 }, (_, before) => known(yesterday - before - 1)).flat()
  return { period, reference: others, kind: 'days' }
}

/** A period and as long a time before it; moved by whole days where it is at least a day. */
export const periodAndBefore = (period: ComparedPeriod, begins: number): ComparedPeriods => {
  const length = period.to - period.from
  const unit = length >= day ? day : hour
  const shift = Math.ceil(length / unit) * unit
  const before = { from: period.from - shift, to: period.to - shift }
  const isKnown = before.from >= 0 && before.to > begins
  return { period, reference: isKnown ? [before] : [], kind: 'before' }
}
