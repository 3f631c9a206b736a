import type { Kysely } from 'kysely'
import { createTable } from '../../tables.ts'

/** Limits of calls, what was counted for them by each process, and which notices were sent. */
export const callLimits = {
  up: async (on: Kysely<unknown>): Promise<void> => {
    await createTable(on, 'call_limits', {
      columns: { id: 'id', owner_id: 'count', name: 'key', spec: 'text', changed_time: 'whole' },
      indexes: [['owner_id']],
    })
    await createTable(on, 'limit_counts', {
      columns: { limit_id: 'whole', subject: 'key', at: 'whole', node: 'key', used: 'whole' },
      unique: [['limit_id', 'subject', 'at', 'node']],
    })
    await createTable(on, 'limit_notices', {
      columns: { limit_id: 'whole', subject: 'key', at: 'whole', percent: 'whole', created_time: 'whole' },
      unique: [['limit_id', 'subject', 'at', 'percent']],
    })
  },
}

/** How windows of limits were used in the course of their time. */
export const limitPaces = {
  up: async (on: Kysely<unknown>): Promise<void> => {
    await createTable(on, 'limit_paces', {
      columns: { limit_id: 'whole', subject: 'key', at: 'whole', used: 'text' },
      unique: [['limit_id', 'subject', 'at']],
    })
  },
}
