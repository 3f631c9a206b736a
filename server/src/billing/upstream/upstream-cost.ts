import { cost } from '../cost.ts'
import { print } from '../decimal.ts'
import { lacksPrice } from '../named-models/priced-models.ts'
import type { Price } from '../price.ts'
import { isUsed, linesOf } from '../receipt-lines.ts'
import type { Usage } from '../usage.ts'

/** What a call costs at the provider, and how that came about. */
export interface UpstreamCost {
  /** Quota units, rounded once. */
  readonly quota: number
  /** The price list and its version, or `channel`. */
  readonly version: string
  /** Factor of the channel and its discounts, as exact decimal text. */
  readonly factor: string
}

const isSold = (usage: Usage): boolean => isUsed(usage) || (usage.images?.count ?? 0) > 0

/**
 * The cost of an answer at a price of `ChannelPrices`. undefined, which is not 0, where there is no price, or none for anything that
 * was used, and where the cost is beyond what can be counted.
 */
export const upstreamCost = (usage: Usage, price: Price | undefined): UpstreamCost | undefined => {
  if (price === undefined || (usage.models !== undefined && lacksPrice(usage.models, price))) return undefined
  try {
    const quota = cost(usage, price)
    if (quota === 0 && isSold(usage) && linesOf(usage, price).length === 0) return undefined
    return { quota, version: price.version ?? '', factor: print(price.groupRatio) }
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}
