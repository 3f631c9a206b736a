import type { Kysely } from 'kysely'
import { createTable } from '../tables.ts'

/** Charges of users for calls that they aborted before the first byte, by day. */
export const abortedCalls = {
  up: (on: Kysely<unknown>): Promise<void> =>
    createTable(on, 'aborted_calls', {
      columns: { id: 'id', user_id: 'whole', created_at: 'whole', count: 'whole', quota: 'whole' },
      unique: [['user_id', 'created_at']],
    }),
}
