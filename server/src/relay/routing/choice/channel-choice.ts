import type { ChannelChoice } from '@tollgate/contract'
import { cost } from '../../../billing/cost.ts'
import { multiply } from '../../../billing/decimal.ts'
import type { Decimal, Price } from '../../../billing/price.ts'
import type { ChannelPrices } from '../../../billing/upstream/channel-prices.ts'
import { noUsage, type Usage } from '../../../billing/usage.ts'
import type { RelayChannel } from '../../ports.ts'
import { type Tier, weightOf } from '../candidate-tiers.ts'
import { mappedModel } from '../model-mapping.ts'
import { isLarge, someOf, type TierChoice } from '../plan.ts'
import type { ChannelFigures } from './channel-figures.ts'
import { cheapestOf } from './cheapest.ts'
import { quickestOf } from './quickest.ts'

export interface ChoiceParts {
  readonly figures: ChannelFigures
  /** Absent where nothing is known of costs. */
  readonly costs?: ChannelPrices
  /** In [0, 1). */
  readonly random: () => number
}

/** Typical call for comparing costs: four tokens in for one out. */
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
    // The call itself reports a circular mapping.
    return model
  }
}

/** Channels of a large tier that are compared without global knowledge: the best of eight is among the best. */
const mostDrawn = 8
/** Two are enough for figures that change with every call: the better of two balances loads. */
const fewDrawn = 2

/** Up to `count` fitting channels of a list, from a random position. */
const someInList = (
  channels: readonly RelayChannel[],
  count: number,
  random: () => number,
  fits: (channel: RelayChannel) => boolean,
): readonly RelayChannel[] => {
  const first = Math.floor(random() * channels.length)
  const some: RelayChannel[] = []
  for (let index = 0; index < Math.min(channels.length, mostDrawn) && some.length < count; index += 1) {
    const channel = channels[(first + index) % channels.length]
    if (channel !== undefined && fits(channel)) some.push(channel)
  }
  return some
}

/** A choice by a figure of channels: the lowest wins. */
export interface ComparedChoice {
  readonly name: ChannelChoice
  readonly choose: TierChoice
  /** Milliseconds, quota units of a sample call, or running calls by weight; undefined where unknown. */
  scoreOf(channel: RelayChannel): number | undefined
}

/** Factor within which figures count as equal and rotate: otherwise the best would get every call at once. */
export const slackOf = (choice: ChannelChoice): number => (choice === 'latency' ? 1.2 : 1)

const lowest = (
  channels: readonly RelayChannel[],
  { name, scoreOf }: Pick<ComparedChoice, 'name' | 'scoreOf'>,
  random: () => number,
): RelayChannel | undefined => {
  // Unknown figures rank behind all known ones.
  const scores = channels.map((channel) => scoreOf(channel) ?? Number.MAX_VALUE)
  const most = scores.reduce((least, score) => Math.min(least, score), Number.MAX_VALUE) * slackOf(name)
  const best = channels.filter((_, index) => (scores[index] ?? 0) <= most)
  return best[Math.floor(random() * best.length)]
}

type Score = ComparedChoice['scoreOf']

const scoreFor = (
  choice: Exclude<ChannelChoice, 'priority'>,
  model: string,
  now: number,
  { figures, costs }: ChoiceParts,
): Score => {
  switch (choice) {
    case 'latency':
      return ({ id }) => figures.answersIn(id, model, now)
    case 'cost':
      return (channel) => {
        const price = costs?.expected(channel, upstreamModel(channel, model), now)
        return price === undefined ? undefined : sampleCost(price)
      }
    case 'least_busy':
      return (channel) => figures.underWay(channel.id) / weightOf(channel)
  }
}

/**
 * Selection within a priority for a virtual model or group, for a call of `model` at `now` (milliseconds since 1970). undefined for the
 * default, by weight.
 */
export const channelChoice = (
  name: ChannelChoice,
  model: string,
  now: number,
  parts: ChoiceParts,
): ComparedChoice | undefined => {
  if (name === 'priority') return undefined
  const { figures, random } = parts
  const scoreOf = scoreFor(name, model, now, parts)
  /** True for an unmeasured channel without a running call: one call at a time measures it. */
  const isToMeasure = (channel: RelayChannel): boolean =>
    scoreOf(channel) === undefined && figures.underWay(channel.id) === 0
  type Fits = (channel: RelayChannel) => boolean

  /** Channels of a large tier to compare: one of the cheapest, two of the fastest, or some random ones by weight. */
  const someIn = (tier: Tier, fits: Fits): readonly RelayChannel[] => {
    if (name === 'cost') return someInList(cheapestOf(tier, model, now, scoreOf), 1, random, fits)
    if (name === 'least_busy') return someOf(tier, fewDrawn, random, fits)
    const quickest = quickestOf(tier, model, now, { scoreOf, slack: slackOf(name) })
    if (quickest === undefined) return someOf(tier, mostDrawn, random, fits)
    const { best, unknown } = quickest
    const [toMeasure] = someInList(unknown, 1, random, fits)
    if (toMeasure !== undefined && isToMeasure(toMeasure)) return [toMeasure]
    const some = someInList(best, fewDrawn, random, fits)
    return some.length > 0 ? some : someOf(tier, mostDrawn, random, fits)
  }

  /** All fitting channels of a small tier, or where no other was found. */
  const comparedIn = (tier: Tier, fits: Fits): readonly RelayChannel[] => {
    const some = isLarge(tier) ? someIn(tier, fits) : []
    return some.length > 0 ? some : tier.channels.filter(fits)
  }

  return {
    name,
    scoreOf,
    choose: (tier, fits) => {
      const compared = comparedIn(tier, fits)
      if (compared.length === 1) return compared[0]
      return (
        (name === 'latency' ? compared.find(isToMeasure) : undefined) ?? lowest(compared, { name, scoreOf }, random)
      )
    },
  }
}
