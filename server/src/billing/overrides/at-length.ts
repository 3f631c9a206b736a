import { keepOtherPrices, otherPricesOf } from '../named-models/other-prices.ts'
import type { Price, TierRates } from '../price.ts'

const fixed = ({ rates, contexts }: TierRates, prompt: number): TierRates => ({
  rates: contexts?.findLast(({ above }) => prompt > above)?.rates ?? rates,
})

/**
 * The price as it is for prompts of this length (tokens), in every tier: for sums of answers, which are each priced by their own prompt. The same
 * object where the length does not matter.
 */
export const priceAtLength = (price: Price, prompt: number): Price => {
  const { contexts, inTiers, ...rest } = price
  const isSame = contexts === undefined && Object.values(inTiers ?? {}).every((tier) => tier.contexts === undefined)
  if (isSame) return price
  const own = Object.entries(inTiers ?? {}).map(([name, tier]) => [name, fixed(tier, prompt)] as const)
  const one: Price = {
    ...rest,
    ...fixed(price, prompt),
    ...(inTiers === undefined ? {} : { inTiers: Object.fromEntries(own) }),
  }
  return keepOtherPrices(one, otherPricesOf(price))
}
