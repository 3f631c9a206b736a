import { cataloguePrices } from '../../../billing/book/catalogue.ts'
import { catalogueData } from '../../../billing/book/catalogue-data.ts'
import { isMap, type PriceReader } from './source.ts'

/** `REMOTE_DATA_JSON_URL` of the package, which is not loaded for it; a test compares both. */
const publishedAt = 'https://raw.githubusercontent.com/pydantic/genai-prices/main/prices/new_data/v2/data.json'

/** The catalogue's own JSON, which is newer than the one that is shipped. Its matchers are not taken over. */
export const catalogueReader: PriceReader = {
  address: publishedAt,
  matches: (json) => Array.isArray(json) && isMap(json[0]) && Array.isArray(json[0].models),
  read: (json) => ({ prices: cataloguePrices(catalogueData.parse(json)), complete: true }),
}
