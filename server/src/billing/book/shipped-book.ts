import { ratios2025Source } from '../tables/ratios-2025.ts'
import { shippedCatalogue } from './catalogue.ts'
import { catalogueSource, createListBook } from './list-book.ts'
import type { ListBook } from './list-price.ts'
import { tableSource } from './price-table.ts'
import { priceRows, tablesVersion } from './tables/index.ts'

/** The price lists that come with this version: the catalogue, then our own tables, then the ratios of 2025. */
export const openShippedBook = async (): Promise<ListBook> =>
  createListBook([catalogueSource(await shippedCatalogue()), tableSource(priceRows, tablesVersion), ratios2025Source()])
