import { cost, receiptOf } from '../../../billing/cost.ts'
import { isSameModel } from '../../../billing/named-models/same-model.ts'
import { priceAtLength } from '../../../billing/overrides/tier-rates.ts'
import type { Price } from '../../../billing/price.ts'
import { noUsage, type Usage } from '../../../billing/usage.ts'
import type { Prices } from '../../ports.ts'
import type { BatchInput } from '../ports.ts'
import { inBatchTier } from './answer-usage.ts'

/** Prices of the models of one batch, in the group of its maker. */
export interface BatchPrices {
  /** The batch's own name for a model that a line states. */
  askedAs(model: string): string
  /** Receipt of an answer; `longest` is the longest prompt in tokens where the usage is the sum of several. */
  receiptOf(usage: Usage, model: string, longest?: number): ReturnType<typeof receiptOf>
}

const mostNames = 1000

/** Price of a model in a group; without one, that of an unpriced model. Throws RangeError where there is none at all. */
export const priceOfModel = (prices: Prices, model: string, group: string): Price => {
  const price =
    prices.of(model, group, { acceptsUnpriced: false }) ?? prices.of(model, group, { acceptsUnpriced: true })
  if (price === undefined) throw new RangeError(`no price of ${model}`)
  return price
}

/**
 * Opens the prices of a batch. `named` are the models of its input: a line of the same model under a dated name has its price, any other
 * that of the stated model.
 */
export const openBatchPrices = (prices: Prices, group: string, named: readonly string[]): BatchPrices => {
  const asked = new Map<string, { readonly name: string; readonly price: Price }>()
  const askedOf = (model: string) => {
    const known = asked.get(model)
    if (known !== undefined) return known
    const name =
      named.find((one) => one === model) ??
      named.find((one) => isSameModel(one, model)) ??
      (named.length === 1 ? named[0] : undefined) ??
      model
    const found = { name, price: priceOfModel(prices, name, group) }
    if (asked.size < mostNames) asked.set(model, found)
    return found
  }
  return {
    askedAs: (model) => askedOf(model).name,
    receiptOf(usage, model, longest) {
      const { name, price: listed } = askedOf(model)
      const price = longest === undefined ? listed : priceAtLength(listed, longest)
      const isAsked = model === '' || usage.models?.served !== undefined || isSameModel(name, model)
      const own = isAsked ? usage : { ...usage, models: { others: [], ...usage.models, served: model } }
      return receiptOf(own, price, { estimated: false })
    },
  }
}

/** Maximum quota units of the lines of an input, in the batch tier. */
export const mostOfInputs = (inputs: readonly BatchInput[], prices: Prices, group: string): number =>
  inputs.reduce((sum, { model, lines, prompt, output, longest }) => {
    const price = priceOfModel(prices, model, group)
    const usage = inBatchTier({ ...noUsage, input: prompt, output, calls: lines })
    return sum + cost(usage, priceAtLength(price, longest))
  }, 0)
