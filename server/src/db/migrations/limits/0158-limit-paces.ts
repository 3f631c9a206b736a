import type { Kysely } from 'kysely'
import { createTable } from '../../tables.ts'

/** How windows of limits were used in the course of their time. */
export const limitPaces = {
  up: async (on: Kysely<unknown>): Promise<void> => {
    await createTable(on, 'limit_paces', {
      columns: { limit_id: 'whole', subject: 'key', at: 'whole', used: 'text' },
      unique: [['limit_id', 'subject', 'at']],
    })
  },
}
