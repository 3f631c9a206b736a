import type { Kysely } from 'kysely'
import { addColumns, createIndex } from '../../tables.ts'

/**
 * A charge is one entry that names user and token, where it was one for each: they cannot differ, and a call writes a third less.
 * Entries that are there stay as they are.
 */
export const tokenCharges = {
  up: async (on: Kysely<unknown>): Promise<void> => {
    await addColumns(on, 'ledger_entries', { token_id: 'whole?' })
    await createIndex(on, 'ledger_entries', ['token_id', 'id'], { unique: false })
  },
}
