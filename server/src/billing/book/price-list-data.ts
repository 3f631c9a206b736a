import { createHash } from 'node:crypto'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { StoredPrice } from '@tollgate/contract'
import { readCatalogue } from './catalogue.ts'
import type { CatalogueProviderData } from './catalogue-data.ts'
import { catalogueSource, joinSources, type PriceSource } from './list-book.ts'
import { storedSource } from './price-table.ts'

/** A table of prices; `first` comes before the catalogue, `last` serves names that no other source has under any reading. */
interface PriceTable {
  readonly version: string
  readonly place: 'first' | 'after' | 'last'
  readonly prices: readonly StoredPrice[]
}

/** The lists of one version of the product, as data: with the matchers, since what a name costs depends on them, too. */
export interface PriceListData {
  readonly catalogue: { readonly version: string; readonly providers: readonly CatalogueProviderData[] }
  readonly tables: readonly PriceTable[]
}

const mostBytes = 64 * 1024 * 1024

/** About 50 kB of base64 text. */
export const packLists = (lists: PriceListData): string => deflateRawSync(JSON.stringify(lists)).toString('base64')

interface PackedLists extends Pick<PriceListData, 'catalogue'> {
  /** Tables that were packed before there were places have none. */
  readonly tables: readonly (Omit<PriceTable, 'place'> & Partial<Pick<PriceTable, 'place'>>)[]
}

/**
 * Lists from a row of ours, which `packLists` wrote: read at each start, and so without a schema, which took a fifth of it. Throws when
 * the text is not packed JSON.
 */
export const unpackLists = (text: string): PriceListData => {
  const json = inflateRawSync(Buffer.from(text, 'base64'), { maxOutputLength: mostBytes }).toString()
  const { catalogue, tables } = JSON.parse(json) as PackedLists
  return { catalogue, tables: tables.map(({ place = 'after', ...table }) => ({ ...table, place })) }
}

/** Equal for lists of equal content, of any name. */
export const digestOf = ({ catalogue, tables }: PriceListData): string =>
  createHash('sha256')
    .update(JSON.stringify([catalogue.providers, tables.map(({ place, prices }) => [place, prices])]))
    .digest('hex')

/** Display name of the lists: the names of their catalogue and of their first table. */
export const nameOf = ({ catalogue, tables }: PriceListData): string =>
  [catalogue.version, tables[0]?.version ?? ''].filter((name) => name !== '').join(', ')

/** Lists as one source. */
export const sourceOf = ({ catalogue, tables }: PriceListData): PriceSource => {
  const placed = (place: PriceListData['tables'][number]['place']): PriceSource[] =>
    tables.filter((table) => table.place === place).map(({ prices, version: name }) => storedSource(prices, name))
  const known = catalogueSource(readCatalogue(catalogue.providers, catalogue.version))
  return joinSources([...placed('first'), known, ...placed('after')], joinSources(placed('last')))
}
