import type { SpendCap } from '../../lib/api/contract.ts'

/** Whole hours: earlier in a month nothing can be forecast. */
const leastShare = 1 / 31 / 24

const day = 86_400
/** Days that are over before their spread says something. */
const leastDays = 3
/** Standard deviations within which four of five sums lie. */
const deviations = 1.28

/** The calendar month (UTC) of a moment: when it began in unix seconds, and how many days it has. */
export const monthOf = (now: number): { readonly start: number; readonly days: number } => {
  const date = new Date(now * 1000)
  const [start = 0, end = 0] = [0, 1].map((more) => Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + more) / 1000)
  return { start, days: (end - start) / day }
}

/** Share of the calendar month (UTC) that is over at `now`, in unix seconds. */
export const shareOfMonth = (now: number): number => {
  const { start, days } = monthOf(now)
  return (now - start) / (days * day)
}

/** Forecast of the month's spending at the pace so far, in quota units. */
export const forecastOf = (spent: number, now: number): number =>
  Math.round(spent / Math.max(leastShare, shareOfMonth(now)))

/**
 * By how much the sum at the end of the month may differ from the forecast, in the unit of `days`: four times of five it lies
 * within, if days vary as those of the month that are over. 0 before there are three of them.
 */
export const spreadOf = (days: readonly number[], ahead: number): number => {
  if (days.length < leastDays) return 0
  const mean = days.reduce((sum, value) => sum + value, 0) / days.length
  const variance = days.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (days.length - 1)
  return deviations * Math.sqrt(variance * Math.max(0, ahead))
}

/** For how many days a wallet lasts at the pace of the month; undefined where nothing was spent, or for more than a year. */
export const daysLeft = (balance: number, spent: number, now: number): number | undefined => {
  const { start } = monthOf(now)
  if (spent <= 0 || balance <= 0) return undefined
  const days = (balance * Math.max(1, (now - start) / day)) / spent
  return days > 365 ? undefined : Math.floor(days)
}

/** True where a monthly cap is reached before the month is over; a cap without end, or of a day, has no forecast. */
export const willReach = (cap: SpendCap | null, now: number): boolean =>
  cap !== null && cap.period === 'month' && cap.spent < cap.amount && forecastOf(cap.spent, now) >= cap.amount

/** When a monthly cap is reached at the pace of the month, in unix seconds; undefined where it is not, or already is. */
export const reachedAt = (cap: SpendCap, now: number): number | undefined => {
  if (!willReach(cap, now) || cap.spent <= 0) return undefined
  const { start } = monthOf(now)
  return Math.round(now + ((cap.amount - cap.spent) * (now - start)) / cap.spent)
}

/** How far a cap is used: reached, near (80 %), or neither. */
export const toneOf = ({ spent, amount }: SpendCap): 'bad' | 'warn' | 'good' =>
  spent >= amount ? 'bad' : spent >= amount * 0.8 ? 'warn' : 'good'
