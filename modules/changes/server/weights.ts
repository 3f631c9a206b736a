import type { Decimal } from '#server/billing/price.ts'
import type { Prices } from '#server/relay/ports.ts'
import type { Weights } from '#server/reports/change/cells.ts'
import { perCallWeights } from '#server/reports/change/effects.ts'

/** Models without a price of their own: an answered token has the worth of four, caches save nothing. */
const usualWeights: Weights = { call: 0n, prompt: 1n, cached: 1n, written: 1n, output: 4n }

const scale = 12

const atScale = ({ digits, scale: own }: Decimal): bigint =>
  own <= scale ? digits * 10n ** BigInt(scale - own) : digits / 10n ** BigInt(own - scale)

/** Proportions of the prices of a model at present. Groups and discounts do not matter: they multiply all of them. */
export const weightsAt =
  (prices: Pick<Prices, 'of'>) =>
  (model: string): Weights => {
    const price = model === '' ? undefined : prices.of(model, 'default', { acceptsUnpriced: false })
    if (price === undefined) return usualWeights
    if (price.perCall !== undefined) return perCallWeights
    const { input, cache_read, cache_write, output } = price.rates
    return {
      call: 0n,
      prompt: atScale(input),
      cached: atScale(cache_read),
      written: atScale(cache_write),
      output: atScale(output),
    }
  }
