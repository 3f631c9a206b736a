import type { Kysely } from 'kysely'
import { addColumns, createIndex } from '../tables.ts'

/** The provider's id of a call in a column of its own, so that a call can be found by it. Rows that are there have none. */
export const logProviderIds = {
  up: async (on: Kysely<unknown>): Promise<void> => {
    await addColumns(on, 'logs', { provider_request_id: 'key?' })
    await createIndex(on, 'logs', ['provider_request_id', 'created_at', 'id'], { unique: false })
  },
}
