import { createListBook } from './list-book.ts'
import type { ListBook } from './list-price.ts'
import { shippedLists, sourceOf } from './shipped-lists.ts'

/** The price lists that come with this version, whatever lists are in force. */
export const openShippedBook = async (): Promise<ListBook> => createListBook([sourceOf(await shippedLists())])
