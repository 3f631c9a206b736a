import { createRequire } from 'node:module'
import { waitForUpdate } from '@pydantic/genai-prices'
import { ratios2025Prices, ratios2025Version } from '../tables/ratios-2025.ts'
import { type CatalogueProviderData, catalogueData } from './catalogue-data.ts'
import { catalogueWithColumns, withColumns } from './columns/price-columns.ts'
import type { PriceListData } from './price-list-data.ts'
import { rowPrices } from './price-table.ts'
import { corrections, priceRows, tablesVersion } from './tables/index.ts'

const shippedVersion = (): string => {
  const entry = createRequire(import.meta.url).resolve('@pydantic/genai-prices')
  const found = createRequire(import.meta.url)(entry.replace(/dist[\\/]index\.cjs$/, 'package.json'))
  return `genai-prices ${found.version}`
}

/** The catalogue that is shipped with this version of the product. */
export const shippedCatalogue = async (): Promise<{ version: string; providers: CatalogueProviderData[] }> => ({
  version: shippedVersion(),
  providers: catalogueData.parse(await waitForUpdate()),
})

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
