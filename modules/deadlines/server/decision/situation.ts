import type { Price } from '#server/billing/price.ts'
import type { Prices } from '#server/relay/ports.ts'
import { type LaneCandidate, type LaneSituation, latestStart } from './choose-lane.ts'
import type { LearnedTimes } from './finish-times.ts'
import { cheaperMoment, multipleOf, type PricedModel, priceAt } from './lane-prices.ts'

/** A call that is to be done by a deadline, as its next step is decided. Moments are milliseconds since 1970. */
export interface TimedJob extends PricedModel {
  readonly arrivedAt: number
  readonly deadline: number
  /** Price of the standard tier when it came. */
  readonly standard: Price
  /** Lanes that can make it at all, each from the moment when it may be tried. */
  readonly open: ReadonlyMap<'batch' | 'flex' | 'off_peak', number>
  /** Milliseconds until the last of its synchronous calls begins; absent for one call. */
  readonly queueMs?: number | undefined
}

/** Times of the lanes at the providers of a job. */
export interface LaneTimes {
  readonly standard: LearnedTimes
  readonly flex: LearnedTimes
  readonly batch: LearnedTimes
}

/** Milliseconds that providers take to end a batch that is given up: developers.openai.com/api/docs/guides/batch names ten minutes. */
export const batchEndingMs = 10 * 60_000

/** All that the choice of a lane needs of a job at a moment. */
export const situationOf = (job: TimedJob, now: number, times: LaneTimes, prices: Prices): LaneSituation => {
  const { arrivedAt, deadline, standard, open, queueMs } = job
  const { slowestMs } = times.standard
  const last = latestStart({ arrivedAt, deadline, slowestMs, queueMs })
  const multipleAt = (at: number): number => {
    const price = priceAt(prices, job, at)
    return price === undefined ? 1 : multipleOf(price, standard)
  }
  const [priceNow, priceLast] = [multipleAt(now), multipleAt(Math.max(now, last))]
  const candidates: LaneCandidate[] = []
  for (const lane of ['flex', 'batch'] as const) {
    const from = open.get(lane)
    const price = multipleOf(standard, standard, lane)
    const endingMs = lane === 'batch' ? batchEndingMs : 0
    if (from !== undefined && price < 1) candidates.push({ lane, price, from, times: times[lane], endingMs })
  }
  const cheaper = open.has('off_peak')
    ? cheaperMoment(prices, job, { now, until: Math.min(last, deadline), standard })
    : undefined
  if (cheaper !== undefined)
    candidates.push({ lane: 'off_peak', price: cheaper.multiple, from: cheaper.at, times: times.standard })
  return { now, arrivedAt, deadline, slowestMs, queueMs, priceNow, priceLast, candidates }
}

/** Seconds until a lane that refused a call is asked again, by its refusals in a row. */
const pauses = [30, 60, 120, 300, 600]

/** When a lane may be asked again that has refused a call so many times in a row. */
export const askedAgainAt = (now: number, refusals: number): number =>
  now + 1000 * (pauses[Math.min(Math.max(refusals, 1), pauses.length) - 1] ?? 0)
