import { resolveName } from '../../billing/book/list-book.ts'
import { overlaidSource } from '../../billing/book/versioned-book.ts'
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
