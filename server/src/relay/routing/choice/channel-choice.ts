import type { ChannelChoice } from '@tollgate/contract'
import { cost } from '../../../billing/cost.ts'
import { multiply } from '../../../billing/decimal.ts'
import type { Decimal, Price } from '../../../billing/price.ts'
import type { ChannelPrices } from '../../../billing/upstream/channel-prices.ts'
import { noUsage, type Usage } from '../../../billing/usage.ts'
import type { RelayChannel } from '../../ports.ts'
import { weightOf } from '../candidate-tiers.ts'
import { mappedModel } from '../model-mapping.ts'
import type { TierChoice } from '../plan.ts'
import type { ChannelFigures } from './channel-figures.ts'

export interface ChoiceParts {
  readonly figures: ChannelFigures
  /** Absent where nothing is known of costs. */
  readonly costs?: ChannelPrices
  /** In [0, 1). */
  readonly random: () => number
}

/** Channels whose figures differ by less than this part take turns: the best one alone would get every call at once. */
const alike = 1.2

/** A call of common length, by which costs are compared: four tokens in for one out. */
const sample: Usage = { ...noUsage, input: 8000, output: 2000 }
/** Keeps rounding out of the comparison. */
const finer: Decimal = { digits: 1_000_000n, scale: 0 }

const sampleCosts = new WeakMap<Price, number>()

const sampleCost = (price: Price): number => {
  const before = sampleCosts.get(price)
  if (before !== undefined) return before
  const unit = multiply(price.unit, finer)
  const made = cost(sample, { ...price, unit, quotaPerUnit: multiply(price.quotaPerUnit, finer) })
  sampleCosts.set(price, made)
  return made
}

const upstreamModel = ({ modelMapping }: RelayChannel, model: string): string => {
  try {
    return modelMapping.size === 0 ? model : mappedModel(modelMapping, model)
  } catch {
    // The call itself says that the mapping runs in a circle.
    return model
  }
}

/** One of those whose figure is the lowest, or at most `slack` times as high, by chance. */
const lowest = (
  channels: readonly RelayChannel[],
  figureOf: (channel: RelayChannel) => number,
  random: () => number,
  slack = 1,
): RelayChannel | undefined => {
  const figures = channels.map(figureOf)
  const most = figures.reduce((least, figure) => Math.min(least, figure), Number.MAX_VALUE) * slack
  const best = channels.filter((_, index) => (figures[index] ?? 0) <= most)
  return best[Math.floor(random() * best.length)]
}

/** What is unknown costs more than all that is known. */
const unknownCost = Number.MAX_VALUE

/**
 * How a virtual model or a group wants channels of one priority chosen, for a call of `model` at `now` (milliseconds since
 * 1970). undefined for the usual way, by weight.
 */
export const channelChoice = (
  choice: ChannelChoice,
  model: string,
  now: number,
  { figures, costs, random }: ChoiceParts,
): TierChoice | undefined => {
  switch (choice) {
    case 'priority':
      return undefined
    case 'latency':
      return ({ channels }, fits) => {
        const fitting = channels.filter(fits)
        // One call at a time measures a channel of which nothing is known.
        const unknown = fitting.find(
          ({ id }) => figures.answersIn(id, model, now) === undefined && figures.underWay(id) === 0,
        )
        return unknown ?? lowest(fitting, ({ id }) => figures.answersIn(id, model, now) ?? unknownCost, random, alike)
      }
    case 'cost':
      return ({ channels }, fits) => {
        const costOf = (channel: RelayChannel): number => {
          const price = costs?.of(channel, upstreamModel(channel, model), now)
          return price === undefined ? unknownCost : sampleCost(price)
        }
        return lowest(channels.filter(fits), costOf, random)
      }
    case 'least_busy':
      return ({ channels }, fits) => {
        const loadOf = (channel: RelayChannel): number => figures.underWay(channel.id) / weightOf(channel)
        return lowest(channels.filter(fits), loadOf, random)
      }
  }
}
