import { cost } from '../../billing/cost.ts'
import { multiply } from '../../billing/decimal.ts'
import type { Decimal, Price } from '../../billing/price.ts'
import type { ChannelPrices } from '../../billing/upstream/channel-prices.ts'
import { noUsage, type Usage } from '../../billing/usage.ts'
import type { Prices, RelayChannel } from '../ports.ts'
import { mappedModel } from './model-mapping.ts'

/** Which channels take more for a model than a group pays for it. */
export interface BelowCost {
  /** undefined where the model has no price. `now` in milliseconds since 1970. */
  of(model: string, group: string, now: number): ((channel: RelayChannel) => boolean) | undefined
}

export interface BelowCostParts {
  readonly prices: Prices
  readonly costs: ChannelPrices
}

/** A call of common length, by which prices are compared: four tokens in for one out. */
const sample: Usage = { ...noUsage, input: 8000, output: 2000 }
/** Keeps rounding out of the comparison. */
const finer: Decimal = { digits: 1_000_000n, scale: 0 }

const sampleCost = (price: Price): number =>
  cost(sample, {
    ...price,
    unit: multiply(price.unit, finer),
    quotaPerUnit: multiply(price.quotaPerUnit, finer),
  })

/** A price per call and one by tokens cannot be compared before the call. */
const exceeds = (upstream: Price, sold: Price): boolean => {
  if ((upstream.perCall === undefined) !== (sold.perCall === undefined)) return false
  try {
    return sampleCost(upstream) > sampleCost(sold)
  } catch {
    return false
  }
}

/** Compares once for each pair of prices: books keep a price as long as it holds, per channel and model or model and group. */
export const createBelowCost = ({ prices, costs }: BelowCostParts): BelowCost => {
  const compared = new WeakMap<Price, WeakMap<Price, boolean>>()

  const isBelow = (upstream: Price, sold: Price): boolean => {
    const known = compared.get(upstream) ?? new WeakMap<Price, boolean>()
    const before = known.get(sold)
    if (before !== undefined) return before
    const below = exceeds(upstream, sold)
    compared.set(upstream, known.set(sold, below))
    return below
  }

  const upstreamModel = ({ modelMapping }: RelayChannel, model: string): string => {
    if (!modelMapping.has(model)) return model
    try {
      return mappedModel(modelMapping, model)
    } catch {
      // The call itself reports a circular mapping.
      return model
    }
  }

  return {
    of(model, group, now) {
      const sold = prices.of(model, group, { acceptsUnpriced: true })
      if (sold === undefined) return undefined
      return (channel) => {
        const upstream = costs.expected(channel, upstreamModel(channel, model), now)
        return upstream !== undefined && isBelow(upstream, sold)
      }
    },
  }
}
