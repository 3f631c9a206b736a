import { formatDate, formatDateTime } from '../../lib/text/format.ts'

const lastDay = 6 * 86_400

/** Where the points of a chart begin (unix seconds) and how long they are. */
export interface Points {
  readonly buckets: readonly number[]
  readonly granularity: 'minute' | 'hour' | 'day' | 'week'
  /** True where days are those of UTC. */
  readonly utc_days: boolean
}

/** Short and long names of the points of a chart, in the reader's zone. */
export const pointNames = (
  { buckets, granularity, utc_days }: Points,
  zone: string | undefined,
): { short: string; long: string }[] => {
  const shownIn = utc_days ? 'UTC' : zone
  return buckets.map((at) => {
    if (granularity === 'minute' || granularity === 'hour') {
      const moment = formatDateTime(at, zone).slice(0, 16)
      return { short: moment.slice(granularity === 'hour' ? 5 : 11), long: moment }
    }
    const day = formatDate(at, shownIn)
    if (granularity === 'day') return { short: day.slice(5), long: day }
    const end = formatDate(at + lastDay, shownIn)
    return { short: day.slice(5), long: `${day} – ${end.slice(5)}` }
  })
}
