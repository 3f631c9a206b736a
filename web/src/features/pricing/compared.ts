import { type DisplayDecimal, divide, isZero, printDecimal } from '../../lib/decimal.ts'
import { type ModelPrices, type PriceName, priceNames, sizeOf } from './prices.ts'

/** More do not fit side by side. */
export const mostCompared = 4

/** One price of several models; undefined where a model has no such price. */
export interface ComparedPrice {
  readonly name: PriceName
  readonly prices: readonly (DisplayDecimal | undefined)[]
  /** The lowest of them, where they differ. */
  readonly lowest: DisplayDecimal | undefined
}

const lowestOf = (prices: readonly DisplayDecimal[]): DisplayDecimal | undefined => {
  const [first, ...others] = prices.toSorted((a, b) => sizeOf(a) - sizeOf(b))
  const last = others.at(-1)
  return first && last && sizeOf(last) > sizeOf(first) ? first : undefined
}

/** Every price that at least one of the models has, each with its value in all of them. */
export const comparePrices = (models: readonly ModelPrices[]): readonly ComparedPrice[] =>
  priceNames.flatMap((name) => {
    const prices = models.map((model) => model[name])
    const offered = prices.filter((price) => price !== undefined)
    return offered.length === 0 ? [] : { name, prices, lowest: lowestOf(offered) }
  })

/** How many times the lowest price another is, with two decimals at most; undefined when the lowest is nothing. */
export const factorOf = (price: DisplayDecimal, lowest: DisplayDecimal): string | undefined =>
  isZero(lowest) ? undefined : printDecimal(divide(price, lowest, 6), 0, 2)
