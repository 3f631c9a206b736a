import type { Kysely } from 'kysely'
import { addColumns, createIndex } from '../../tables.ts'

/** Calls that were charged provisionally, see `billing/declared`. Rows that are there are not marked. */
export const provisionalCalls = {
  up: async (on: Kysely<unknown>): Promise<void> => {
    await addColumns(on, 'logs', { provisional: 'whole?' })
    await createIndex(on, 'logs', ['provisional', 'created_at', 'id'], { unique: false, filled: 'provisional' })
  },
}
