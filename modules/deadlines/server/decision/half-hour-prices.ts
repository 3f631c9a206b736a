import { createBoundedCache } from '#server/lib/caches/bounded-cache.ts'
import type { Prices } from '#server/relay/ports.ts'

export const halfHourMs = 30 * 60_000
const mostKept = 5_000

type Found = { readonly price: ReturnType<Prices['of']> }

/** Keeps prices at whole half hours, which jobs ask for again and again, until options or lists change. */
export const keepHalfHours = (prices: Prices, version: () => number): Prices => {
  const kept = createBoundedCache<string, Found>({ entries: mostKept })
  let keptOf = version()
  return {
    of(model, group, more) {
      if (more.at === undefined || more.at % halfHourMs !== 0) return prices.of(model, group, more)
      const now = version()
      if (now !== keptOf) kept.clear()
      keptOf = now
      const key = [more.at, more.acceptsUnpriced, group, model].join('\n')
      const found = kept.get(key) ?? { price: prices.of(model, group, more) }
      kept.set(key, found)
      return found.price
    },
    until: (model, group) => prices.until?.(model, group) ?? Number.POSITIVE_INFINITY,
  }
}
