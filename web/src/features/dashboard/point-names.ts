import type { UsageReport } from '../../lib/contract.ts'
import { formatDate, formatDateTime } from '../../lib/format.ts'

const lastDay = 6 * 86_400

/** Short and long names of the points of a chart, in the reader's zone (console reference A8). */
export const pointNames = (
  { buckets, granularity, utc_days }: Pick<UsageReport, 'buckets' | 'granularity' | 'utc_days'>,
  zone: string | undefined,
): { short: string; long: string }[] => {
  const shownIn = utc_days ? 'UTC' : zone
  return buckets.map((at) => {
    if (granularity === 'hour') {
      const hour = formatDateTime(at, zone).slice(0, 16)
      return { short: hour.slice(5), long: hour }
    }
    const day = formatDate(at, shownIn)
    if (granularity === 'day') return { short: day.slice(5), long: day }
    const end = formatDate(at + lastDay, shownIn)
    return { short: day.slice(5), long: `${day} – ${end.slice(5)}` }
  })
}
