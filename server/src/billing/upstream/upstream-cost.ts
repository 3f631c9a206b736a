import { cost } from '../cost.ts'
import { print } from '../decimal.ts'
import { lacksPrice } from '../named-models/priced-models.ts'
import type { Price } from '../price.ts'
import { isUsed, linesOf } from '../receipt-lines.ts'
import type { Usage } from '../usage.ts'

/** Cost of a call at the provider, and its derivation. */
export interface UpstreamCost {
  /** Quota units, rounded once. */
  readonly quota: number
  /** The price list and its version, `channel`, or `stated` by the provider. */
  readonly version: string
  /** Factor of the channel and its discounts, as exact decimal text. */
  readonly factor: string
  /** Cost that the provider's answer states; absent if it states none. */
  readonly stated?: {
    /** Dollars, as exact decimal text. */
    readonly amount: string
    /** The member or header with the cost; `provider` and `model` are those that answered. */
    readonly by: string
    readonly provider: string
    readonly model: string
    /** Quota units by the price of the channel; absent where that is not known. */
    readonly computed?: number
  }
  /** Quota units by which the statement is above the computed cost; absent where they differ by no more than roundings. */
  readonly stated_gap?: number
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
