import type { Kysely } from 'kysely'
import { createTable } from '../tables.ts'

/** Imports from databases of other gateways: ids of imported rows, and earlier use of accounts. */
export const imports = {
  up: async (on: Kysely<unknown>): Promise<void> => {
    await createTable(on, 'import_rows', {
      columns: { id: 'id', site: 'key', kind: 'key', source_id: 'key', target_id: 'whole' },
      unique: [['site', 'kind', 'source_id']],
    })
    await createTable(on, 'opening_uses', {
      columns: { id: 'id', account: 'key', account_id: 'whole', used: 'count' },
      unique: [['account', 'account_id']],
    })
  },
}
