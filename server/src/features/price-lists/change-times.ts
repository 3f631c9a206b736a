import { resolveName } from '../../billing/book/list-book.ts'
import type { ListBook } from '../../billing/book/list-price.ts'
import { type HourlyMoments, hourlyMoments } from '../../billing/book/stored-price.ts'
import { createVersionedBook, overlaidSource } from '../../billing/book/versioned-book.ts'
import type { VersionState } from './states.ts'

/** Moments, in milliseconds since 1970, at which the list price of a model may change: versions, and the days that lists announce. */
export const momentsOf = (states: readonly VersionState[], model: string): number[] => {
  const moments = states.flatMap((state) => {
    const found = resolveName(overlaidSource(state), model)
    const days = found?.model.stored.prices.flatMap(({ from }) => (from === undefined ? [] : [Date.parse(from)])) ?? []
    return [state.from, ...days]
  })
  return [...new Set(moments)]
}

/** How a price depends on the hour, and the prices of the state that a moment is in, whatever comes after it. */
export interface HourlyPrice extends HourlyMoments {
  readonly list: ListBook
}

/** Undefined for a model whose price does not depend on the hour. */
export const hourlyPriceOf = (states: readonly VersionState[], model: string, at: number): HourlyPrice | undefined => {
  const state = states.findLast(({ from }) => from <= at) ?? states[0]
  const stored = state && resolveName(overlaidSource(state), model)?.model.stored
  if (state === undefined || stored === undefined) return undefined
  const moments = hourlyMoments(stored, at)
  return moments.hours.length === 0 ? undefined : { ...moments, list: createVersionedBook([{ ...state, from: 0 }]) }
}
