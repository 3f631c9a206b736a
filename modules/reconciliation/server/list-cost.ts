import { cost } from '#server/billing/cost.ts'
import { decimal, divide } from '#server/billing/decimal.ts'
import type { Decimal, Price } from '#server/billing/price.ts'
import type { PriceSettings } from '#server/billing/price-settings.ts'
import { createPriceBook, type PriceBook } from '#server/billing/prices.ts'
import type { Usage } from '#server/billing/usage.ts'
import { moneyPlaces } from './report.ts'

/** When something was used, and in what calls: sums do not show how long their prompts were. */
export interface PricedAt {
  /** Unix seconds. */
  readonly at: number
  /** Prompts were longer than so many tokens, where that changes the price; 0 otherwise. */
  readonly above: number
}

/** Cost of a model's usage at the provider's list price, in dollars. Undefined for a model without a price. */
export type ListCostOf = (model: string, usage: Usage, when: PricedAt) => Decimal | undefined

/** The rates for prompts of this length, whatever the sum of them. */
const atLength = ({ contexts = [], ...price }: Price, above: number): Price => {
  const tier = contexts.findLast((context) => context.above <= above)
  return tier === undefined ? price : { ...price, rates: tier.rates }
}

/** The price lists alone. */
const listedOnly = (settings: PriceSettings): PriceSettings => ({
  modelRatio: {},
  modelPrice: {},
  completionRatio: {},
  cacheRatio: {},
  groupRatio: {},
  toolPrices: settings.toolPrices ?? {},
  tierRatios: settings.tierRatios ?? {},
  quotaPerUnit: settings.quotaPerUnit,
  selfUse: false,
  ...(settings.list === undefined ? {} : { list: settings.list }),
})

/**
 * The price lists of providers, and the operator's prices at the group ratio 1 for models that no list knows; exact to a quota
 * unit. `settings` answers with a new object when an option or a list has changed.
 */
export const openListCost = (settings: () => PriceSettings): ListCostOf => {
  let made: { readonly settings: PriceSettings; readonly books: readonly PriceBook[] } | undefined
  const booksOf = (): readonly PriceBook[] => {
    const present = settings()
    if (made !== undefined && made.settings === present) return made.books
    const books = [listedOnly(present), { ...present, groupRatio: {}, selfUse: false }].map(createPriceBook)
    made = { settings: present, books }
    return books
  }
  return (model, usage, { at, above }) => {
    for (const book of booksOf()) {
      const price = book.of(model, '', { acceptsUnpriced: false, at: at * 1000 })
      if (price === undefined) continue
      return divide(decimal(cost(usage, atLength(price, above))), price.quotaPerUnit, moneyPlaces)
    }
    return undefined
  }
}
