import type { Kysely } from 'kysely'
import { addColumns, createTable, type TableShape } from '../tables.ts'

const usageTables = ['usage_hours', 'usage_days', 'usage_site_days', 'usage_user_periods']

const steps = [0, 1, 2, 3, 4, 5, 6, 7]
const counts = Object.fromEntries(
  steps.flatMap((step) => [`first_${step}`, `total_${step}`]).map((name) => [name, 'count']),
) as Readonly<Record<string, 'count'>>

const dimensions = {
  user_id: 'whole',
  token_id: 'whole',
  channel_id: 'whole',
  group: 'key',
  model_name: 'key',
} as const

const shapes: Readonly<Record<string, TableShape>> = {
  speed_hours: {
    columns: { id: 'id', created_at: 'whole', dimensions_hash: 'key', ...dimensions, octave: 'whole', ...counts },
    unique: [['created_at', 'dimensions_hash', 'octave']],
    indexes: [['user_id', 'created_at']],
  },
  speed_site_hours: {
    columns: {
      id: 'id',
      created_at: 'whole',
      channel_id: 'whole',
      group: 'key',
      model_name: 'key',
      octave: 'whole',
      ...counts,
    },
    unique: [['created_at', 'channel_id', 'model_name', 'group', 'octave']],
  },
  failure_hours: {
    columns: { id: 'id', created_at: 'whole', dimensions_hash: 'key', ...dimensions, class: 'key', count: 'whole' },
    unique: [['created_at', 'dimensions_hash']],
    indexes: [['user_id', 'created_at']],
  },
}

/**
 * Tokens by kind and the speed of answers beside the hourly sums, histograms of how long calls took, and failures by class.
 * Calls that are there are not in them.
 */
export const speedTables = {
  up: async (on: Kysely<unknown>): Promise<void> => {
    for (const table of usageTables)
      await addColumns(on, table, {
        cached_tokens: 'count',
        cache_write_tokens: 'count',
        reasoning_tokens: 'count',
        timed_tokens: 'count',
        timed_ms: 'count',
      })
    for (const [name, shape] of Object.entries(shapes)) await createTable(on, name, shape)
  },
}
