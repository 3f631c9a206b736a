import { cost } from '../../billing/cost.ts'
import { decimal } from '../../billing/decimal.ts'
import type { Decimal } from '../../billing/price.ts'
import { createPriceBook, type PriceBook, type PriceSettings } from '../../billing/prices.ts'
import type { Usage } from '../../billing/usage.ts'
import { divide } from './report.ts'

/**
 * What usage costs at the provider's list price, in dollars. Undefined for a model without a price. `at` is the moment of the
 * use in unix seconds, for books that know when prices changed.
 */
export type ListCostOf = (model: string, usage: Usage, at: number) => Decimal | undefined

/**
 * Today's prices of the site at the group ratio 1, whenever the use was; exact to a quota unit. `settings` answers with a new
 * object when an option has changed.
 */
export const listCostFromOptions = (settings: () => PriceSettings): ListCostOf => {
  let made: { readonly settings: PriceSettings; readonly book: PriceBook } | undefined
  const bookOf = (): PriceBook => {
    const present = settings()
    if (made?.settings !== present) {
      made = { settings: present, book: createPriceBook({ ...present, groupRatio: {}, selfUse: false }) }
    }
    return made.book
  }
  return (model, usage) => {
    const price = bookOf().of(model, '', { acceptsUnpriced: false })
    return price === undefined ? undefined : divide(decimal(cost(usage, price)), price.quotaPerUnit)
  }
}
