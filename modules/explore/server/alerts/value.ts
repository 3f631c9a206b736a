import { type FigureMetric, figureMetrics } from '@tollgate/contract'
import type { Database } from '#server/db/database.ts'
import { metrics } from '#server/features/figures/metrics.ts'
import type { FigureFilter } from '#server/reports/figures/dimensions.ts'
import { type CallFigures, noFigures, plusFigures, timesFigures } from '#server/reports/figures/figures.ts'
import { readFigures } from '#server/reports/figures/read-figures.ts'

export interface WindowQuestion {
  readonly metric: FigureMetric
  readonly filters: readonly FigureFilter[]
  readonly hours: number
}

const hour = 3_600

const written = (value: number, metric: FigureMetric): number => {
  const { unit } = figureMetrics[metric]
  return unit === 'quota' || unit === 'count' || unit === 'tokens' ? Math.round(value) : Number(value.toPrecision(6))
}

/**
 * The value of a metric over the hours before `now` (unix seconds); undefined where nothing was measured. Figures are kept by
 * the hour: of the one in which the window begins, as large a share counts as lies within the window.
 */
export const windowValue = async (
  database: Pick<Database, 'query'>,
  { metric, filters, hours }: WindowQuestion,
  now: number,
): Promise<number | undefined> => {
  const { speed = false, of } = metrics[metric]
  const running = Math.floor(now / hour) * hour
  const second = running - (hours - 1) * hour
  const read = async (from: number, to: number): Promise<CallFigures> => {
    const [found = noFigures()] = await readFigures(database, { from, to, by: [], filters, speed })
    return found
  }
  const first = await read(second - hour, second)
  const whole = plusFigures(await read(second, running + hour), timesFigures(first, 1 - (now - running) / hour))
  const value = of(whole)
  return value === undefined ? undefined : written(value, metric)
}
