import { type PricedMeasure, type PricingItem, quotaType } from '../../lib/api/contract.ts'
import { type DisplayDecimal, decimal, divide, multiply, printDecimal } from '../../lib/decimal.ts'

/** In which unit prices are shown: currency, or quota units where the site shows no currency. */
export interface PriceUnit {
  readonly quotaPerUnit: number
  readonly currency: boolean
}

/** Units of sale beside tokens and calls, as the server names them. */
export const measureNames = [
  'minute',
  'million_characters',
  'page',
  'query',
  'picture',
] as const satisfies readonly PricedMeasure[]
export type MeasureName = (typeof measureNames)[number]

/** The priced units in reading order; also the keys of their labels. */
export const priceNames = [
  'call',
  ...measureNames,
  'input',
  'output',
  'cached',
  'cacheWrite',
  'audioInput',
  'audioOutput',
] as const
export type PriceName = (typeof priceNames)[number]

/** The price of a model in a group: currency (or quota units) per million tokens, or per call. */
export type ModelPrices = Readonly<Partial<Record<PriceName, DisplayDecimal>>>

const million = decimal(1_000_000)
const places = 12

const measuresIn = ({ measures = {} }: PricingItem, group: DisplayDecimal, unit: PriceUnit): ModelPrices =>
  Object.fromEntries(
    measureNames.flatMap((name) => {
      const price = measures[name]
      if (price === undefined) return []
      const dollars = multiply(decimal(price), group)
      return [[name, unit.currency ? dollars : multiply(dollars, decimal(unit.quotaPerUnit))] as const]
    }),
  )

/** The price of the call or of the first measure that a model is sold by; undefined for one that is sold by tokens. */
export const pieceOf = (
  prices: ModelPrices,
): { readonly name: 'call' | MeasureName; readonly price: DisplayDecimal } | undefined => {
  for (const name of ['call', ...measureNames] as const) {
    const price = prices[name]
    if (price !== undefined && (name === 'call' || prices.input === undefined)) return { name, price }
  }
  return undefined
}

/**
 * Ratio 1 is one quota unit per token: with 500,000 units to the dollar, ratio × 2 dollars per million tokens
 *. Exact up to twelve decimals.
 */
export const pricesIn = (item: PricingItem, groupRatio: number, unit: PriceUnit): ModelPrices => {
  const perUnit = decimal(unit.quotaPerUnit)
  const group = decimal(groupRatio)
  if (item.quota_type === quotaType.call) {
    const dollars = multiply(decimal(item.model_price), group)
    const call = unit.currency ? dollars : multiply(dollars, perUnit)
    return { call }
  }
  const measures = measuresIn(item, group, unit)
  // The tokens of a model that is sold by something else cost nothing: zeros would say that it is free.
  if (item.model_ratio === 0 && item.measures !== undefined) return measures
  const quota = multiply(decimal(item.model_ratio), group, million)
  const shown = (...ratios: readonly number[]): DisplayDecimal => {
    const amount = multiply(quota, ...ratios.map(decimal))
    return unit.currency ? divide(amount, perUnit, places) : amount
  }
  const { audio_ratio: audio, audio_completion_ratio: spoken } = item
  return {
    ...measures,
    input: shown(1),
    output: shown(item.completion_ratio),
    cached: shown(item.cache_ratio),
    cacheWrite: shown(item.cache_creation_ratio),
    ...(audio === undefined ? {} : { audioInput: shown(audio) }),
    ...(audio === undefined || spoken === undefined ? {} : { audioOutput: shown(audio, spoken) }),
  }
}

/** `$2.50`, with up to six decimals; a price in quota units has no sign before it. */
export const printPrice = (price: DisplayDecimal, { currency }: PriceUnit, most = 6): string =>
  currency ? `$${printDecimal(price, 2, most)}` : printDecimal(price, 0, most)

/** For sorting only. */
export const sizeOf = (price: DisplayDecimal): number => Number(price.digits) / 10 ** price.scale

/** A ratio with at most three decimals, as people compare them. */
export const printRatio = (ratio: number): string => printDecimal(decimal(ratio), 0, 3)
