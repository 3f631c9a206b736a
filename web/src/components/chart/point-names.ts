import {
  formatDay,
  formatMinute,
  formatMoment,
  formatMonth,
  formatShortDay,
  formatShortMoment,
  type TimeReader,
} from '../../lib/text/format-time.ts'

const day = 86_400

/** Starts of a chart's points (unix seconds) and their length. */
export interface Points {
  readonly buckets: readonly number[]
  readonly granularity: 'minute' | 'hour' | 'day' | 'week' | 'month'
  /** True where days are those of UTC. */
  readonly utc_days: boolean
}

/** True if the time zone differs from UTC by a part of an hour, as in India. Hourly sums then begin a day at its first whole hour. */
export const beginsWithinHour = ({ buckets }: Pick<Points, 'buckets'>): boolean =>
  buckets.some((at) => at % 3_600 !== 0)

interface PointName {
  readonly short: string
  readonly long: string
}

const isWithinDay = (buckets: readonly number[]): boolean => (buckets.at(-1) ?? 0) - (buckets[0] ?? 0) < day

/** Short and long names of the points of a chart, in the reader's language and zone. */
export const pointNames = ({ buckets, granularity, utc_days }: Points, reader: TimeReader): PointName[] => {
  const dayReader = utc_days ? { ...reader, zone: 'UTC' } : reader
  const clockAlone = granularity === 'minute' || isWithinDay(buckets)
  const nameOf = (at: number): PointName => {
    switch (granularity) {
      case 'minute':
      case 'hour':
        return {
          short: clockAlone ? formatMinute(at, reader.zone) : formatShortMoment(at, reader),
          long: formatMoment(at, reader, true),
        }
      case 'day':
        return { short: formatShortDay(at, dayReader), long: formatDay(at, dayReader) }
      case 'week':
        return {
          short: formatShortDay(at, dayReader),
          long: `${formatDay(at, dayReader)} – ${formatDay(at + 6 * day, dayReader)}`,
        }
      case 'month':
        return { short: formatMonth(at, dayReader, true), long: formatMonth(at, dayReader) }
    }
  }
  return buckets.map(nameOf)
}

const hour = 3_600
/** Longest a point may be, in seconds: days when clocks change have an hour more. */
const lengths = { minute: 60, hour, day: day + hour, week: 7 * day + hour, month: 31 * day + hour } as const

/** Place of the last point where its time is not over at `now` (unix seconds) and its range goes on until then; else undefined. */
export const unfinishedPoint = (
  { buckets, granularity, to }: Pick<Points, 'buckets' | 'granularity'> & { readonly to: number },
  now: number,
): number | undefined => {
  const last = buckets.at(-1)
  const isOpen = last !== undefined && last + lengths[granularity] > now && to > now - hour
  return isOpen ? buckets.length - 1 : undefined
}
