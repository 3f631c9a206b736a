import type { SpendCap } from '../../lib/api/contract.ts'

/** Whole hours: earlier in a month nothing can be forecast. */
const leastShare = 1 / 31 / 24

/** Share of the calendar month (UTC) that is over at `now`, in unix seconds. */
export const shareOfMonth = (now: number): number => {
  const date = new Date(now * 1000)
  const [start, end] = [0, 1].map((more) => Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + more) / 1000)
  return (now - (start ?? 0)) / ((end ?? 0) - (start ?? 0))
}

/** What is spent at the end of the month if it goes on as so far, in quota units. */
export const forecastOf = (spent: number, now: number): number =>
  Math.round(spent / Math.max(leastShare, shareOfMonth(now)))

/** True where a monthly cap is reached before the month is over; a cap without end, or of a day, has no forecast. */
export const willReach = (cap: SpendCap | null, now: number): boolean =>
  cap !== null && cap.period === 'month' && cap.spent < cap.amount && forecastOf(cap.spent, now) >= cap.amount

/** How far a cap is used: reached, near (80 %), or neither. */
export const toneOf = ({ spent, amount }: SpendCap): 'bad' | 'warn' | 'good' =>
  spent >= amount ? 'bad' : spent >= amount * 0.8 ? 'warn' : 'good'
