import type { Database } from '#server/db/database.ts'
import type { FigureSums } from '#server/reports/figures/figures.ts'
import { noSums } from '#server/reports/figures/figures.ts'
import { readFigures } from '#server/reports/figures/read-figures.ts'
import { bucketsOf, knownZone, pieceSeconds, piecesOf } from '#server/reports/usage/usage-buckets.ts'

/** Full hours in unix seconds, the end not included. */
export interface Hours {
  readonly from: number
  readonly to: number
}

/** Days of a reader around a moment. */
export interface ReaderDays {
  readonly before: Hours
  readonly yesterday: Hours
  readonly today: Hours
  /** Since Monday. */
  readonly week: Hours
  /** Midnight at which tomorrow begins. */
  readonly tomorrow: number
}

const { hour, day, week } = pieceSeconds

/** Zones whose midnight is no full hour of UTC begin their days with the hour that it is in. */
const hourOf = (at: number): number => at - (at % hour)

/** The days of a time zone at a moment in unix seconds; UTC where the zone is unknown. */
export const readerDays = (zone: string, now: number): ReaderDays => {
  const known = knownZone(zone)
  const [from, to] = [hourOf(now) - 3 * day, hourOf(now) + 2 * day]
  const days = piecesOf(bucketsOf(day, known, from, to), from, to)
  const at = days.findLastIndex((piece) => piece.at <= now)
  const start = (place: number): number => hourOf(days[place]?.at ?? now)
  const weekFrom = hourOf(now) - week
  const [monday] = piecesOf(bucketsOf(week, known, weekFrom, to), weekFrom, now + 1).slice(-1)
  const end = hourOf(now) + hour
  return {
    before: { from: start(at - 2), to: start(at - 1) },
    yesterday: { from: start(at - 1), to: start(at) },
    today: { from: start(at), to: end },
    week: { from: hourOf(monday?.at ?? now), to: end },
    tomorrow: days[at + 1]?.at ?? now + day,
  }
}

/** Sums of all calls in these hours, or of one user's. Days of UTC are read from the sums of days. */
export const sumsIn = async (
  database: Pick<Database, 'query'>,
  { from, to }: Hours,
  userId?: number,
): Promise<FigureSums> => {
  const filters = userId === undefined ? [] : [{ dimension: 'user', is: 'is', values: [String(userId)] } as const]
  const [cell] = await readFigures(database, { from, to, by: [], filters })
  return cell?.sums ?? noSums
}
