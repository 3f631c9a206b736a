import type { PricePreview } from '@tollgate/contract'
import type { ListBook } from '../../billing/book/list-price.ts'
import { AppError } from '../../lib/app-error.ts'
import { type Clock, unixSeconds } from '../../lib/clock.ts'
import { priceChanges } from './changes.ts'
import { type PriceOptionChange, type PriceOptions, withChanges } from './price-options.ts'
import { priceTraffic, type TrafficLimits } from './traffic.ts'
import type { TrafficStore } from './traffic-store.ts'

const sevenDays = 7 * 86_400

export interface PreviewParts {
  readonly store: TrafficStore
  readonly clock: Clock
  options(): PriceOptions
  /** Models that enabled channels serve. */
  served(): readonly string[]
  readonly limits?: TrafficLimits
}

/** Effect of changed options, with the given price lists instead of those in force. */
export type Preview = (changes: readonly PriceOptionChange[], list?: ListBook) => Promise<PricePreview>

/** More than a whole number holds is a typing mistake, not one of ours. */
const refuseRange = (cause: unknown): never => {
  throw cause instanceof RangeError ? new AppError('invalid_parameter', { cause }) : cause
}

/** Says what changed prices would do. One at a time, because each reads the log of a week. */
export const openPreview = ({ store, clock, options, served, limits }: PreviewParts): Preview => {
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const next = last.then(work, work)
    last = next
    return next
  }
  return async (changes, list) => {
    const current = options()
    const changed = withChanges(current, changes)
    const proposed = list === undefined ? changed : { ...changed, list }
    const to = unixSeconds(clock)
    const span = { from: to - sevenDays + 1, to }
    const traffic = await inTurn(() => priceTraffic(store, span, { current, proposed }, limits)).catch(refuseRange)
    return { ...priceChanges(current, proposed, served()), traffic }
  }
}
