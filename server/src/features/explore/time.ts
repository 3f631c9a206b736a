import type { Rollup } from '@tollgate/contract'
import {
  type Buckets,
  bucketsOf,
  knownZone,
  longestZoned,
  pieceSeconds,
  piecesOf,
} from '../../ledger/usage/usage-buckets.ts'
import { AppError } from '../../lib/app-error.ts'

/** A range in full hours, unix seconds; the end is not included. */
export interface Range {
  readonly from: number
  readonly to: number
}

const hour = 3_600
const day = 86_400
/** A chart has a few hundred points at most. */
const longestHourly = 14 * day
const longestDaily = 400 * day
const longestRange = 10 * 366 * day

/** Whole hours that a question's seconds cover. Throws invalid_parameter if the end is before the beginning. */
export const rangeOf = (start: number, end: number, now: number): Range => {
  const last = Math.min(end || now, now + hour)
  const first = Math.max(start, last - longestRange)
  if (first > last) throw new AppError('invalid_parameter')
  return { from: first - (first % hour), to: Math.ceil((last + 1) / hour) * hour }
}

const pieces = { hour, day, week: 7 * day, month: day } as const satisfies Record<Rollup, number>

/** As long a time before, earlier by whole points, so that both have the same days and hours. */
export const before = ({ from, to }: Range, rollup: Rollup): Range => {
  const shift = Math.ceil((to - from) / pieces[rollup]) * pieces[rollup]
  return { from: Math.max(0, from - shift), to: Math.max(0, to - shift) }
}

export const rollupFor = (rollup: Rollup, { from, to }: Range): Rollup => {
  const seconds = to - from
  if (rollup === 'hour' && seconds > longestHourly) return 'day'
  return rollup === 'day' && seconds > longestDaily ? 'week' : rollup
}

/** How a range becomes points. */
export interface Timeline {
  readonly buckets: Buckets
  readonly utcDays: boolean
  /** Start of each point, in unix seconds. */
  readonly starts: readonly number[]
  /** Which point a piece belongs to, by its local second. */
  pointOf(local: number): number
}

const monthOf = (local: number): number => {
  const date = new Date(local * 1000)
  return date.getUTCFullYear() * 12 + date.getUTCMonth()
}

/** Months are put together from days. */
export const timelineOf = (rollup: Rollup, range: Range, zone: string): Timeline => {
  const utcDays = range.to - range.from > longestZoned
  const size = rollup === 'month' ? pieceSeconds.day : pieceSeconds[rollup]
  const buckets = bucketsOf(size, utcDays ? 'UTC' : knownZone(zone), range.from, range.to)
  const placeOf = rollup === 'month' ? monthOf : (local: number) => local
  const points = new Map<number, { index: number; at: number }>()
  for (const { local, at } of piecesOf(buckets, range.from, range.to))
    if (!points.has(placeOf(local))) points.set(placeOf(local), { index: points.size, at })
  return {
    buckets,
    utcDays,
    starts: [...points.values()].map(({ at }) => at),
    pointOf: (local) => points.get(placeOf(local))?.index ?? -1,
  }
}
