import { REMOTE_DATA_JSON_URL } from '@pydantic/genai-prices'
import { cataloguePrices } from '../../../billing/book/catalogue.ts'
import { catalogueData } from '../../../billing/book/catalogue-data.ts'
import { isMap, type PriceReader } from './source.ts'

/** The catalogue's own JSON, which is newer than the one that is shipped. Its matchers are not taken over. */
export const catalogueReader: PriceReader = {
  address: REMOTE_DATA_JSON_URL,
  matches: (json) => Array.isArray(json) && isMap(json[0]) && Array.isArray(json[0].models),
  read: (json) => ({ prices: cataloguePrices(catalogueData.parse(json)), complete: true }),
}
