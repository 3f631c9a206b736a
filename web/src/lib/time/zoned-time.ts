import { formatDate, formatDateTime } from '../text/format.ts'

const secondsPerDay = 86_400

/** By how many seconds the clocks of a zone are before UTC's at a moment. */
const offsetAt = (unixSeconds: number, zone: string | undefined): number =>
  Date.parse(`${formatDateTime(unixSeconds, zone).replace(' ', 'T')}Z`) / 1000 - unixSeconds

/**
 * The moment at which clocks of a zone show what UTC's show at `wall`. For an hour that occurs twice it is the first
 * one.
 */
export const momentOf = (wall: number, zone: string | undefined): number => {
  const early = wall - offsetAt(wall - secondsPerDay, zone)
  const late = wall - offsetAt(wall + secondsPerDay, zone)
  return [early, late].find((at) => at + offsetAt(at, zone) === wall) ?? early
}

const firstMomentOf = (date: string, zone: string | undefined, daysBack: number): number =>
  momentOf(Date.parse(`${date}T00:00:00Z`) / 1000 - daysBack * secondsPerDay, zone)

/** Unix seconds of the midnight that began a day in a zone; undefined is the browser's own. */
export const startOfDay = (nowSeconds: number, daysBack: number, zone: string | undefined): number =>
  firstMomentOf(formatDate(nowSeconds, zone), zone, daysBack)

export const startOfMonth = (nowSeconds: number, zone: string | undefined): number =>
  firstMomentOf(`${formatDate(nowSeconds, zone).slice(0, 7)}-01`, zone, 0)
