import { ratios2025Prices, ratios2025Version } from '../tables/ratios-2025.ts'
import { catalogueWithColumns, withColumns } from './columns/price-columns.ts'
import type { PriceListData } from './price-list-data.ts'
import { rowPrices } from './price-table.ts'
import { shippedCatalogue } from './shipped-catalogue.ts'
import { corrections } from './tables/corrections.ts'
import { priceRows, tablesVersion } from './tables/index.ts'

/**
 * The lists that come with this version of the product: what we correct, the catalogue, our own tables, and for names that none of
 * them knows the ratios of 2025.
 */
export const shippedLists = async (): Promise<PriceListData> => {
  const catalogue = await shippedCatalogue()
  return {
    catalogue: { ...catalogue, providers: catalogueWithColumns(catalogue.providers) },
    tables: [
      { version: tablesVersion, place: 'after', prices: rowPrices(priceRows).map(withColumns) },
      { version: tablesVersion, place: 'first', prices: rowPrices(corrections).map(withColumns) },
      { version: ratios2025Version, place: 'last', prices: ratios2025Prices() },
    ],
  }
}
