import type { Price } from './price.ts'

type Figures = Readonly<Record<string, number>>

/** The prices of tools that each price was frozen with, for every model. Not in the price itself, which is written to the journal. */
const books = new WeakMap<Price, (model: string) => Figures | undefined>()

/** Lets `withToolsOf` find the figures of other models; `toolsOf` must not change. */
export const keepToolPrices = (price: Price, toolsOf: (model: string) => Figures | undefined): Price => {
  books.set(price, toolsOf)
  return price
}

/**
 * The price with the tool prices of the model that the upstream was asked for. Providers sell their tools by their own models'
 * names, and the keys of ToolPrices name those; what the operator calls the model says nothing about its tools.
 */
export const withToolsOf = (price: Price, upstreamModel: string): Price => {
  if (upstreamModel === '' || upstreamModel === price.model) return price
  const toolsOf = books.get(price)
  if (toolsOf === undefined) return price
  const { tools: _, ...plain } = price
  const tools = toolsOf(upstreamModel)
  return tools === undefined ? plain : { ...plain, tools }
}
