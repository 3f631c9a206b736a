import type { DatedPrice } from '@tollgate/contract'
import type { PriceSource } from '../../../src/billing/book/list-book.ts'
import { storedSource } from '../../../src/billing/book/price-table.ts'
import type { ListedModel } from '../../../src/billing/book/stored-price.ts'
import { createVersionedBook } from '../../../src/billing/book/versioned-book.ts'

/** A source that does not know some models. */
export const without = (source: PriceSource, isHidden: (model: ListedModel) => boolean): PriceSource => ({
  lookUp(named) {
    const found = source.lookUp(named)
    return found === undefined || isHidden(found) ? undefined : found
  },
  models: () => source.models().filter((model) => !isHidden(model)),
  ...(source.last === undefined ? {} : { last: without(source.last, isHidden) }),
})

/** Lists that learn at the moment `learnt` (milliseconds) what `after` knows; before, they know what `before` does. */
export const bookThatLearns = (before: PriceSource, after: PriceSource, learnt: number) =>
  createVersionedBook([
    { from: 0, lists: before, overlay: new Map() },
    { from: learnt, lists: after, overlay: new Map() },
  ])

export const priceRowsOf = (models: Readonly<Record<string, readonly DatedPrice[]>>): PriceSource =>
  storedSource(
    Object.entries(models).map(([model, prices]) => ({
      provider: 'openai',
      model,
      source: 'test',
      prices: [...prices],
    })),
    'test',
  )
