import { createListBook } from './list-book.ts'
import type { ListBook } from './list-price.ts'
import { openShippedLists } from './prepared-lists.ts'
import { sourceOf } from './price-list-data.ts'

/** The price lists that come with this version, whatever lists are in force. */
export const openShippedBook = async (): Promise<ListBook> =>
  createListBook([sourceOf((await openShippedLists()).lists())])
