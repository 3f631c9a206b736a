import type { Kysely } from 'kysely'
import { createTable, dropIndex, type TableShape } from '../../tables.ts'
import { logIndexes } from './small-steps.ts'

const sums = {
  count: 'whole',
  quota: 'whole',
  prompt_tokens: 'whole',
  completion_tokens: 'whole',
  failures: 'whole',
} as const

/** The hash keeps the key short: some servers take no index over three texts. */
const usage = {
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
    ...sums,
  },
  unique: [['created_at', 'dimensions_hash']],
  indexes: [['user_id', 'created_at']],
} satisfies TableShape

/** A year of a large site is read at once here: people are left out. */
const siteUsage: TableShape = {
  columns: { id: 'id', created_at: 'whole', channel_id: 'whole', group: 'key', model_name: 'key', ...sums },
  unique: [['created_at', 'channel_id', 'model_name', 'group']],
}

/** Sums of what was charged, by hour and by day, and logs that are to be deleted. */
export const usageTables = {
  up: async (on: Kysely<unknown>): Promise<void> => {
    await createTable(on, 'usage_hours', usage)
    await createTable(on, 'usage_days', { ...usage, indexes: [...usage.indexes, ['token_name', 'created_at']] })
    await createTable(on, 'usage_site_days', siteUsage)
    // The dashboard's calls name users by id as well.
    await dropIndex(on, 'quota_data', ['username', 'created_at'])
    await logIndexes.up(on)
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
