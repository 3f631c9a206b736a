import { keepOtherPrices, otherPricesOf } from './named-models/other-prices.ts'
import type { Price } from './price.ts'

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
