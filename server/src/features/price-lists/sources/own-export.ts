import { storedPrice } from '@tollgate/contract'
import { z } from 'zod'
import { type PriceSource, resolveName } from '../../../billing/book/list-book.ts'
import type { ListedModel } from '../../../billing/book/stored-price.ts'
import { listedUnder } from '../differences.ts'
import { isMap, type PriceReader } from './source.ts'

const file = z.array(storedPrice).max(100_000)

/** True if a price counts for its own name: entries of older lists that newer ones stand before do not. */
const counts = (source: PriceSource, { provider, id, stored }: ListedModel): boolean => {
  const found = provider === '' ? resolveName(source, id)?.model : listedUnder(source, provider, id)
  return found?.stored === stored
}

/** All prices of a source as a file that `ownExportReader` reads. */
export const exportOf = (source: PriceSource): string =>
  JSON.stringify(
    source
      .models()
      .filter((model) => counts(source, model))
      .map(({ stored, version }) => ({ ...stored, version })),
  )

/** The file that this product exports. */
export const ownExportReader: PriceReader = {
  matches: (json) => Array.isArray(json) && isMap(json[0]) && Array.isArray(json[0].prices),
  read: (json) => ({ prices: file.parse(json).map(({ version: _, ...price }) => price), complete: true }),
}
