import { ratios2025Source } from '../tables/ratios-2025.ts'
import { shippedCatalogue } from './catalogue.ts'
import { catalogueSource, createListBook } from './list-book.ts'
import type { ListBook } from './list-price.ts'
import { tableSource } from './price-table.ts'
import { corrections } from './tables/corrections.ts'
import { priceRows, tablesVersion } from './tables/index.ts'

/**
 * The price lists that come with this version: what we correct, the catalogue, our own tables, and for names that none of them knows
 * the ratios of 2025.
 */
export const openShippedBook = async (): Promise<ListBook> =>
  createListBook(
    [
      tableSource(corrections, tablesVersion),
      catalogueSource(await shippedCatalogue()),
      tableSource(priceRows, tablesVersion),
    ],
    [ratios2025Source()],
  )
