import type { ListBook } from '../../billing/book/list-price.ts'
import type { PriceOptions } from './price-options.ts'

/** The present options with the present lists: the same object until one of them changes. */
export const currentPriceOptions = (options: () => PriceOptions, list: () => ListBook): (() => PriceOptions) => {
  let made: { from: PriceOptions; list: ListBook; values: PriceOptions } | undefined
  return () => {
    const [from, present] = [options(), list()]
    if (made?.from !== from || made.list !== present) made = { from, list: present, values: { ...from, list: present } }
    return made.values
  }
}
