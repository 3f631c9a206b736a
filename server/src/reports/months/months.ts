import { knownZone } from '../usage/usage-buckets.ts'

/** Unix seconds: `from` is included, `to` is not. */
export interface MonthPeriod {
  readonly from: number
  readonly to: number
}

const hour = 3_600
const minute = 60

/** The date of a moment in a zone, e.g. `2026-10-01`. */
export const dateReader = (zone: string): ((at: number) => string) => {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: knownZone(zone), dateStyle: 'short' })
  return (at) => format.format(at * 1000)
}

/** The first minute whose date in the zone is this one or a later one. */
const startOf = (date: string, dateOf: (at: number) => string): number => {
  // No clock differs from UTC's by a day.
  let at = Date.parse(`${date}T00:00:00Z`) / 1000 - 24 * hour
  while (dateOf(at) < date) at += hour
  // Some zones are ahead of UTC by hours and a half, or by three quarters of one.
  while (dateOf(at - minute) >= date) at -= minute
  return at
}

const following = (month: string): string => {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number, 1)).toISOString().slice(0, 7)
}

/** A month such as `2026-10` in a zone, to the minute. */
export const monthPeriod = (month: string, zone: string): MonthPeriod => {
  const dateOf = dateReader(zone)
  return { from: startOf(`${month}-01`, dateOf), to: startOf(`${following(month)}-01`, dateOf) }
}

/** The month of a moment (unix seconds) in a zone. */
const monthOf = (at: number, zone: string): string => dateReader(zone)(at).slice(0, 7)

export interface MonthQuery {
  /** For example `2026-10`; the present month when absent. */
  readonly month?: string | undefined
  readonly zone: string
}

/** A month in a zone that the engine knows. */
export interface ZonedMonth extends MonthPeriod {
  readonly month: string
  readonly zone: string
}

/** The month of a query; `now` in unix seconds. */
export const zonedMonth = (query: MonthQuery, now: number): ZonedMonth => {
  const zone = knownZone(query.zone)
  const month = query.month ?? monthOf(now, zone)
  return { month, zone, ...monthPeriod(month, zone) }
}
