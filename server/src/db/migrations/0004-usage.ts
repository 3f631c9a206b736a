import type { Kysely } from 'kysely'
import { createTable, type TableShape } from '../tables.ts'

/** The hash keeps the key short: some servers take no index over three texts. */
const usage: TableShape = {
  columns: {
    id: 'id',
    created_at: 'whole',
    dimensions_hash: 'key',
    user_id: 'whole',
    token_id: 'whole',
    token_name: 'key',
    channel_id: 'whole',
    group: 'key',
    model_name: 'key',
    count: 'whole',
    quota: 'whole',
    prompt_tokens: 'whole',
    completion_tokens: 'whole',
  },
  unique: [['created_at', 'dimensions_hash']],
  indexes: [['user_id', 'created_at']],
}

/** Sums of what was charged, by hour and by day, and logs that are to be deleted. */
export const usageTables = {
  up: async (on: Kysely<unknown>): Promise<void> => {
    await createTable(on, 'usage_hours', usage)
    await createTable(on, 'usage_days', usage)
    await createTable(on, 'log_purges', {
      columns: {
        id: 'id',
        name: 'key',
        type: 'whole',
        before: 'whole',
        total: 'whole',
        deleted: 'count',
        created_time: 'whole',
        lease_time: 'count',
        finished_time: 'count',
      },
      unique: [['name']],
      indexes: [['finished_time']],
    })
  },
}
