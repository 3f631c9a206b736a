import type { Price } from './price.ts'

type Figures = Readonly<Record<string, number>>

/** Price → look-up of tool prices by model. Kept outside the price, because the price is written to the journal. */
const books = new WeakMap<Price, (model: string) => Figures | undefined>()

/** Stores the look-up with which `withToolsOf` finds the tool prices of other models; its results must not change. */
export const keepToolPrices = (price: Price, toolsOf: (model: string) => Figures | undefined): Price => {
  books.set(price, toolsOf)
  return price
}

/**
 * The price with the tool prices of the upstream model. Keys of the option ToolPrices name upstream models, because providers
 * price tools by model; the model name that clients use may be an alias.
 */
export const withToolsOf = (price: Price, upstreamModel: string): Price => {
  if (upstreamModel === '' || upstreamModel === price.model) return price
  const toolsOf = books.get(price)
  if (toolsOf === undefined) return price
  const { tools: _, ...plain } = price
  const tools = toolsOf(upstreamModel)
  return tools === undefined ? plain : { ...plain, tools }
}
