import type { ListBook } from '../../billing/book/list-price.ts'
import type { Declarations } from '../../billing/declared/declarations.ts'
import type { PriceOptions } from './price-options.ts'

interface Sources {
  options(): PriceOptions
  list(): ListBook
  /** What the operator declared; the same object until it changes. */
  declared(): Declarations
  /** Another number after each change of these. */
  readonly version: { readonly now: number }
}

/** The present options with the present lists and declarations: the same object until one of them changes. */
export const currentPriceOptions = ({ options, list, declared, version }: Sources): (() => PriceOptions) => {
  let asOf = version.now - 1
  let made: { from: PriceOptions; list: ListBook; declared: Declarations; values: PriceOptions } | undefined
  return () => {
    if (made !== undefined && asOf === version.now) return made.values
    asOf = version.now
    const [from, lists, kinds] = [options(), list(), declared()]
    if (made?.from !== from || made.list !== lists || made.declared !== kinds)
      made = { from, list: lists, declared: kinds, values: { ...from, list: lists, declared: kinds } }
    return made.values
  }
}
