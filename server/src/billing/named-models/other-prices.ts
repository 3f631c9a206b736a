import type { Price } from '../price.ts'

type Figures = Readonly<Record<string, number>>

/** Finds prices beside one: of the same group, at the same moment. */
export interface OtherPrices {
  /** Tool prices of a model: of providers, tools are priced by model. */
  toolsOf(model: string): Figures | undefined
  /** The price of a model, as a provider names it; undefined where neither the operator nor a list has one. */
  priceOf(model: string): Price | undefined
  /** Prices of all models of the maker of this one. */
  ofMaker(model: string): readonly Price[]
}

/** Kept outside the price, because the price is written to the journal. */
const kept = new WeakMap<Price, OtherPrices>()

/** Stores how the prices beside one are found; what is found must not change. */
export const keepOtherPrices = (price: Price, others: OtherPrices | undefined): Price => {
  if (others !== undefined) kept.set(price, others)
  return price
}

/** How the prices beside one are found; undefined for a price that was read from a journal. */
export const otherPricesOf = (price: Price): OtherPrices | undefined => kept.get(price)

/**
 * The price with the tool prices of the upstream model. Keys of the option ToolPrices name upstream models, because providers
 * price tools by model; the model name that clients use may be an alias.
 */
export const withToolsOf = (price: Price, upstreamModel: string): Price => {
  if (upstreamModel === '' || upstreamModel === price.model) return price
  const others = otherPricesOf(price)
  if (others === undefined) return price
  const { tools: _, ...plain } = price
  const tools = others.toolsOf(upstreamModel)
  return keepOtherPrices(tools === undefined ? plain : { ...plain, tools }, others)
}
