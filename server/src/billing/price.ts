import type { Declarations, Reason } from './declared/declarations.ts'
import type { BaseKind, ExtraKind, MeasureKind } from './kinds.ts'

export type { BaseKind, ExtraKind, Kind, MeasureKind, TokenKind } from './kinds.ts'

/** A decimal number kept exactly: `digits / 10^scale`. */
export interface Decimal {
  readonly digits: bigint
  readonly scale: number
}

/**
 * Price of one piece of each kind in multiples of `Price.unit`. A base kind without a rate is free; an extra kind counts as its
 * parent; a measure without a rate is not billed.
 */
export type Rates = Readonly<Record<BaseKind, Decimal>> & { readonly [K in ExtraKind | MeasureKind]?: Decimal }

/** Other rates for prompts of more than `above` tokens; they hold for the whole call. */
export interface ContextTier {
  readonly above: number
  readonly rates: Rates
}

/** Rates of one service tier, for each length of the prompt. */
export interface TierRates {
  readonly rates: Rates
  readonly contexts?: readonly ContextTier[]
}

/**
 * Price of a model in a group, frozen when a call begins. A piece costs `unit` × its rate × tier × group. In ratios, `unit` is the model
 * ratio and a plain prompt token has rate 1; in dollars, a rate is dollars per million pieces and `unit` is the quota units of a
 * millionth of a dollar.
 */
export interface Price {
  readonly model: string
  readonly group: string
  /** Currency units per call; undefined when billed by use. */
  readonly perCall: Decimal | undefined
  readonly basis: 'ratio' | 'dollars'
  readonly unit: Decimal
  readonly rates: Rates
  /** Ascending; absent where the length of the prompt does not matter. */
  readonly contexts?: readonly ContextTier[]
  /** Pictures that are sold apiece: `size quality`, `size`, `quality` → rate of one. Others cost `rates.picture`. */
  readonly pictures?: Readonly<Record<string, Decimal>>
  /** Generated videos: size, resolution or quality → rate of a millisecond. Others cost `rates.duration`. */
  readonly videos?: Readonly<Record<string, Decimal>>
  readonly groupRatio: Decimal
  readonly quotaPerUnit: Decimal
  /** Origin of the price: `operator`, or the source, version and day of the price list. */
  readonly version?: string
  /**
   * Service tier → factor of token prices; 1 for a tier without an entry. It does not apply to fixed prices, which the operator
   * sets, or to tools, which cost the same in every tier.
   */
  readonly tiers?: Readonly<Record<string, number>>
  /** Tiers whose prices no factor states exactly, with their own, which win over the factor in `tiers`. */
  readonly inTiers?: Readonly<Record<string, TierRates>>
  /** Tool that runs at the provider → currency units per thousand calls; tools without an entry are free. */
  readonly tools?: Readonly<Record<string, number>>
  /** Why the whole price is provisional: no list names the model, so it is charged as another one until a list does. */
  readonly provisional?: Reason
  /** The operator's declarations of members, tiers and tools that no table knows; absent without any. */
  readonly declared?: Declarations
}

/** The kind that an extra kind counts as where it has no rate of its own. */
export const parentOf: Readonly<Record<ExtraKind, BaseKind>> = {
  reasoning: 'output',
  explicit_cache_read: 'cache_read',
  audio_cache_read: 'cache_read',
  image_input: 'input',
  image_cache_read: 'cache_read',
  video_input: 'input',
  image_output: 'output',
  video_output: 'output',
}

const isZero = ({ digits }: Decimal): boolean => digits === 0n

const areZero = (rates: Rates): boolean => Object.values(rates).every(isZero)

/** True if a price is 0 for any usage: by its call, its unit, its group, or all of its rates. Tools of the provider have prices of their own. */
export const costsNothing = (price: Price): boolean => {
  const { perCall, unit, groupRatio, rates, contexts, inTiers, pictures, videos } = price
  if (isZero(groupRatio)) return true
  if (perCall !== undefined) return isZero(perCall)
  if (isZero(unit)) return true
  const longer = (contexts ?? []).map((context) => context.rates)
  const tiers = Object.values(inTiers ?? {}).flatMap((tier) => [
    tier.rates,
    ...(tier.contexts ?? []).map((context) => context.rates),
  ])
  return [rates, ...longer, ...tiers].every(areZero) && Object.values({ ...pictures, ...videos }).every(isZero)
}
