import type { PriceSourceName } from '@tollgate/contract'
import { cataloguePrices } from '../../../billing/book/catalogue.ts'
import { catalogueData } from '../../../billing/book/catalogue-data.ts'
import { litellmReader } from './litellm.ts'
import { modelsDevReader } from './models-dev.ts'
import { openrouterReader } from './openrouter.ts'
import { ownExportReader } from './own-export.ts'
import { panelReader } from './panel.ts'
import { isMap, type PriceReader } from './source.ts'

/** `REMOTE_DATA_JSON_URL` of the package, which is not loaded for it; a test compares both. */
const publishedAt = 'https://raw.githubusercontent.com/pydantic/genai-prices/main/prices/new_data/v2/data.json'

/** The catalogue's own JSON, which is newer than the one that is shipped. Its matchers are not taken over. */
export const catalogueReader: PriceReader = {
  address: publishedAt,
  matches: (json) => Array.isArray(json) && isMap(json[0]) && Array.isArray(json[0].models),
  read: (json) => ({ prices: cataloguePrices(catalogueData.parse(json)), complete: true }),
}

export type RemoteSource = Exclude<PriceSourceName, 'shipped'>

/** How each source that is read from the network is read. */
export const readers: Readonly<Record<RemoteSource, PriceReader>> = {
  catalogue: catalogueReader,
  litellm: litellmReader,
  models_dev: modelsDevReader,
  openrouter: openrouterReader,
  panel: panelReader,
}

/** The reader of a file; undefined for one of an unknown shape. */
export const readerOf = (json: unknown): PriceReader | undefined =>
  [ownExportReader, ...Object.values(readers)].find((reader) => reader.matches(json))
