import { digestOf, nameOf, type PriceListData } from './price-list-data.ts'

/** The lists of this version of the product, by what tells them from those of others. */
export interface PreparedLists {
  /** As `digestOf` tells it. */
  readonly digest: string
  /** As `nameOf` tells it. */
  readonly name: string
  /** Read on first use: a start on a database that has them needs none. */
  lists(): PriceListData
}

export const prepared = (lists: PriceListData): PreparedLists => ({
  digest: digestOf(lists),
  name: nameOf(lists),
  lists: () => lists,
})

const compose = async (): Promise<PreparedLists> => {
  const { shippedLists } = await import('./shipped-lists.ts')
  return prepared(await shippedLists())
}

let composed: Promise<PreparedLists> | undefined

/**
 * Composes the lists from the catalogue and our tables, once in a process: it takes a third of a second, and tests start hundreds of
 * gateways. In the bundle another module stands here, which reads what this one gave when it was built
 * (`scripts/bundle/prepared-prices.ts`): the catalogue and its schema take 5 MB and a fifth of the start.
 */
export const openShippedLists = (): Promise<PreparedLists> => {
  composed ??= compose()
  return composed
}
