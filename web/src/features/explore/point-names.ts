import { pointNames } from '../../components/chart/point-names.ts'
import type { ExploreAnswer } from '../../lib/api/contract.ts'
import { formatDate } from '../../lib/text/format.ts'

/** Short and long names of the points of an answer, in the reader's zone. */
export const namesOfPoints = (
  report: Pick<ExploreAnswer, 'buckets' | 'rollup' | 'utc_days'>,
  zone: string | undefined,
): { short: string; long: string }[] => {
  const { buckets, rollup, utc_days } = report
  if (rollup !== 'month') return pointNames({ buckets, granularity: rollup, utc_days }, zone)
  return buckets.map((at) => {
    const month = formatDate(at, utc_days ? 'UTC' : zone).slice(0, 7)
    return { short: month, long: month }
  })
}
