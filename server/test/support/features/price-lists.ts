import type { DatedPrice, StoredPrice } from '@tollgate/contract'
import { prepared } from '../../../src/billing/book/prepared-lists.ts'
import type { PriceListData as Lists } from '../../../src/billing/book/price-list-data.ts'
import type { Database } from '../../../src/db/database.ts'
import { openPriceLists, type PriceListParts, type PriceLists } from '../../../src/features/price-lists/price-lists.ts'
import { silentLog } from '../../../src/lib/log.ts'
import { openBus } from '../../../src/lib/redis/bus.ts'

type Prices = Record<string, Record<string, number>>

/** Lists of a version of the product: OpenAI models by the beginning of their names, in the catalogue's keys. */
export const listsWith = (version: string, models: Prices): Lists => ({
  catalogue: {
    version: `genai-prices ${version}`,
    providers: [
      {
        id: 'openai',
        models: Object.entries(models).map(([id, prices]) => ({ id, match: { starts_with: id }, prices })),
      },
    ],
  },
  tables: [{ version: 'tables 1', place: 'after', prices: [] }],
})

/** A price as a source gives it, in dollars per million tokens. */
export const sourcePrice = (model: string, rates: DatedPrice['rates'], provider = 'openai'): StoredPrice => ({
  provider,
  model,
  source: 'https://prices.test',
  prices: [{ rates }],
})

export const priceActor = { id: 1, username: 'root', ip: '127.0.0.1' }

/** Price lists of one node. */
export const openTestPriceLists = (
  database: Database,
  shipped: Lists,
  parts: Partial<PriceListParts> = {},
): Promise<PriceLists> =>
  openPriceLists({
    database,
    bus: openBus({ nodeName: 'test', log: silentLog }),
    log: silentLog,
    clock: Date.now,
    syncFrequencyMs: 3_600_000,
    isSlave: false,
    audit: async () => {},
    shipped: prepared(shipped),
    ...parts,
  })
