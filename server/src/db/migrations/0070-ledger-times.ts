import type { Kysely } from 'kysely'
import { createIndex } from '../tables.ts'

/** Entries by their time: statements read them one by one where a month ends within an hour of UTC. */
export const ledgerTimes = {
  up: async (on: Kysely<unknown>): Promise<void> => {
    await createIndex(on, 'ledger_entries', ['created_at', 'account_id'], { unique: false })
  },
}
