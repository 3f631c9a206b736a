import type { ListBook } from '../../billing/book/list-price.ts'
import type { Declarations } from '../../billing/declared/declarations.ts'
import type { PriceOptions } from './price-options.ts'

interface Sources {
  options(): PriceOptions
  list(): ListBook
  /** Declarations of the operator; the same object until they change. */
  declared(): Declarations
}

/** The present options with the present lists and declarations: the same object until one of them changes. */
export const currentPriceOptions = ({ options, list, declared }: Sources): (() => PriceOptions) => {
  let made: { from: PriceOptions; list: ListBook; declared: Declarations; values: PriceOptions } | undefined
  return () => {
    const [from, lists, kinds] = [options(), list(), declared()]
    if (made?.from !== from || made.list !== lists || made.declared !== kinds)
      made = { from, list: lists, declared: kinds, values: { ...from, list: lists, declared: kinds } }
    return made.values
  }
}
