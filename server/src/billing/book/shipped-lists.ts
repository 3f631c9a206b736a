import { createHash } from 'node:crypto'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { storedPrice } from '@tollgate/contract'
import { z } from 'zod'
import { ratios2025Prices, ratios2025Version } from '../tables/ratios-2025.ts'
import { readCatalogue, shippedCatalogue } from './catalogue.ts'
import { catalogueData } from './catalogue-data.ts'
import { catalogueWithColumns, withColumns } from './columns/price-columns.ts'
import { catalogueSource, joinSources, type PriceSource } from './list-book.ts'
import { rowPrices, storedSource } from './price-table.ts'
import { corrections } from './tables/corrections.ts'
import { priceRows, tablesVersion } from './tables/index.ts'

const version = z.string().min(1).max(200)
const priceLists = z.object({
  catalogue: z.object({ version, providers: catalogueData }),
  /** `first` is asked before the catalogue, `last` for names that nothing else knows under any reading. */
  tables: z.array(
    z.object({ version, place: z.enum(['first', 'after', 'last']).default('after'), prices: z.array(storedPrice) }),
  ),
})

/** The lists of one version of the product, as data: with the matchers, since what a name costs depends on them, too. */
export type PriceLists = z.output<typeof priceLists>

/**
 * The lists that come with this version of the product: what we correct, the catalogue, our own tables, and for names that none of
 * them knows the ratios of 2025.
 */
export const shippedLists = async (): Promise<PriceLists> => {
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

const mostBytes = 64 * 1024 * 1024

/** About 50 kB of base64 text. */
export const packLists = (lists: PriceLists): string => deflateRawSync(JSON.stringify(lists)).toString('base64')

/** Throws when the text is not what `packLists` made. */
export const unpackLists = (text: string): PriceLists =>
  priceLists.parse(JSON.parse(inflateRawSync(Buffer.from(text, 'base64'), { maxOutputLength: mostBytes }).toString()))

/** Equal for lists of equal content, whatever they are called. */
export const digestOf = ({ catalogue, tables }: PriceLists): string =>
  createHash('sha256')
    .update(JSON.stringify([catalogue.providers, tables.map(({ place, prices }) => [place, prices])]))
    .digest('hex')

/** What people call the lists: the name of their catalogue and of their first table. */
export const nameOf = ({ catalogue, tables }: PriceLists): string =>
  [catalogue.version, tables[0]?.version ?? ''].filter((name) => name !== '').join(', ')

/** Lists as one source. */
export const sourceOf = ({ catalogue, tables }: PriceLists): PriceSource => {
  const placed = (place: PriceLists['tables'][number]['place']): PriceSource[] =>
    tables.filter((table) => table.place === place).map(({ prices, version: name }) => storedSource(prices, name))
  const known = catalogueSource(readCatalogue(catalogue.providers, catalogue.version))
  return joinSources([...placed('first'), known, ...placed('after')], joinSources(placed('last')))
}
