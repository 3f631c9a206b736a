import type { ExploreDimension } from '@tollgate/contract'
import type { Database } from '../../db/database.ts'
import type { FigureFilter } from './dimensions.ts'
import { callsOf, errorShare, firstWithin, outputSpeed, totalWithin } from './figures.ts'
import { readFigures } from './read-figures.ts'

/** How something performed: milliseconds, tokens per second, shares of 1; undefined where nothing was measured. */
export interface Performance {
  /** One value for each dimension that was asked for: a name, or an id as text. */
  readonly keys: readonly string[]
  /** Answered and failed calls. */
  readonly calls: number
  readonly firstP50: number | undefined
  readonly firstP95: number | undefined
  readonly totalP50: number | undefined
  readonly totalP95: number | undefined
  readonly outputSpeed: number | undefined
  /** Share of the calls that were answered. */
  readonly uptime: number | undefined
}

export interface PerformanceQuestion {
  /** Unix seconds; rounded to full hours outwards. */
  readonly from: number
  readonly to: number
  readonly by: readonly ExploreDimension[]
  readonly filters?: readonly FigureFilter[]
}

const hour = 3_600

/**
 * Speed and uptime of everything that was called in a time, by up to two dimensions: `['model']`, `['model', 'channel']`.
 * Failures are those that were logged. Two queries over hourly and daily sums; read it rarely and keep what it says for minutes.
 */
export const readPerformance = async (
  database: Pick<Database, 'query'>,
  { from, to, by, filters = [] }: PerformanceQuestion,
): Promise<readonly Performance[]> => {
  const start = Math.floor(from / hour) * hour
  const end = Math.ceil(to / hour) * hour
  const cells = await readFigures(database, { from: start, to: end, by, filters, speed: true })
  return cells.map((cell) => {
    const failed = errorShare(cell)
    return {
      keys: cell.keys,
      calls: callsOf(cell),
      firstP50: firstWithin(cell, 0.5),
      firstP95: firstWithin(cell, 0.95),
      totalP50: totalWithin(cell, 0.5),
      totalP95: totalWithin(cell, 0.95),
      outputSpeed: outputSpeed(cell),
      uptime: failed === undefined ? undefined : 1 - failed,
    }
  })
}
