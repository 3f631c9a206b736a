import type { FinishTimes } from './finish-times.ts'

/** A way to make a call: as a batch of the provider, in its flex tier, at a cheaper hour, or at once. */
export type Lane = 'batch' | 'flex' | 'off_peak' | 'standard'

/** A way that may be cheaper than making the call at once. */
export interface LaneCandidate {
  readonly lane: Exclude<Lane, 'standard'>
  /** Multiple of the standard price. */
  readonly price: number
  /** Earliest beginning, in milliseconds since 1970. */
  readonly from: number
  /** Times from its beginning to its end. */
  readonly times: Pick<FinishTimes, 'within'>
  /** Milliseconds between giving it up and its end; absent where it ends at once. */
  readonly endingMs?: number
}

export interface LaneSituation {
  /** Milliseconds since 1970, as all moments here. */
  readonly now: number
  readonly arrivedAt: number
  readonly deadline: number
  /** Milliseconds that a synchronous call takes at most. */
  readonly slowestMs: number
  /** Milliseconds until the last of several synchronous calls begins, where not all are made together; absent for none. */
  readonly queueMs?: number | undefined
  /** Price of a synchronous call now, and when it is the last that is in time, as multiples of the standard price. */
  readonly priceNow: number
  readonly priceLast: number
  readonly candidates: readonly LaneCandidate[]
}

export interface LaneChoice {
  readonly lane: Lane
  /** When it begins; `now` or later. */
  readonly startAt: number
  /** When it is given up and made synchronously; Infinity for a synchronous call. */
  readonly giveUpAt: number
  /** Expected multiple of the standard price, with the synchronous call that follows where the lane is too slow. */
  readonly expectedPrice: number
}

/** Longest part of the time that is kept for repeating a synchronous call whose provider fails. */
const longestRepeatMs = 15 * 60_000
const repeatShare = 0.1
/** A lane that is less likely to be in time is not worth the waiting. */
const leastShare = 0.05

/**
 * The moment when a synchronous call has to begin at the latest: twice the slowest call before the deadline, a tenth of the whole
 * time, 15 minutes at most, for providers that fail for a while, and the time until the last of several begins. Never before the arrival.
 */
export const latestStart = ({
  arrivedAt,
  deadline,
  slowestMs,
  queueMs = 0,
}: Pick<LaneSituation, 'arrivedAt' | 'deadline' | 'slowestMs' | 'queueMs'>): number => {
  const window = deadline - arrivedAt
  return Math.max(arrivedAt, deadline - queueMs - 2 * slowestMs - Math.min(repeatShare * window, longestRepeatMs))
}

/** Milliseconds that a deadline must be away so that there is time for anything but a call at once. */
export const leastWindow = (slowestMs: number): number =>
  Math.min((2 * slowestMs) / (1 - repeatShare), 2 * slowestMs + longestRepeatMs)

/** Lanes in the order in which equal prices are decided: the one that ends soonest comes first. */
const order: readonly Lane[] = ['standard', 'flex', 'off_peak', 'batch']

const isBetter = (choice: LaneChoice, best: LaneChoice): boolean => {
  if (choice.expectedPrice !== best.expectedPrice) return choice.expectedPrice < best.expectedPrice
  if (choice.lane !== best.lane) return order.indexOf(choice.lane) < order.indexOf(best.lane)
  return choice.startAt < best.startAt
}

/**
 * Chooses the way with the least expected price. A lane that is not over when it has to be given up for a synchronous call in time
 * counts with the price of that call; work that is given up costs nothing. After the latest start the call is synchronous.
 */
export const chooseLane = (situation: LaneSituation): LaneChoice => {
  const { now, priceNow, priceLast, candidates } = situation
  const last = latestStart(situation)
  const none = Number.POSITIVE_INFINITY
  let best: LaneChoice = { lane: 'standard', startAt: now, giveUpAt: none, expectedPrice: priceNow }
  for (const { lane, price, from, times, endingMs = 0 } of candidates) {
    const startAt = Math.max(now, from)
    const giveUpAt = last - endingMs
    if (startAt >= giveUpAt) continue
    const share = times.within(giveUpAt - startAt)
    if (share < leastShare) continue
    const choice = { lane, startAt, giveUpAt, expectedPrice: share * price + (1 - share) * priceLast }
    if (isBetter(choice, best)) best = choice
  }
  return best
}
