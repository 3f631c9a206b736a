import type { Kysely } from 'kysely'
import { createTable } from '../../tables.ts'

/** Creates a table of hourly figures by a name that calls may have, which stands in `column`. */
export const createNamedHours = (on: Kysely<unknown>, table: string, column: string): Promise<void> =>
  createTable(on, table, {
    columns: {
      id: 'id',
      created_at: 'whole',
      dimensions_hash: 'key',
      [column]: 'key',
      user_id: 'whole',
      token_id: 'whole',
      channel_id: 'whole',
      model_name: 'key',
      count: 'count',
      failures: 'count',
      quota: 'count',
      prompt_tokens: 'count',
      completion_tokens: 'count',
      cached_tokens: 'count',
      cache_write_tokens: 'count',
      missed_tokens: 'count',
      cache_saved: 'count',
      cache_lost: 'count',
      cost: 'count',
      costed_count: 'count',
      costed_quota: 'count',
      reasoning_tokens: 'count',
      timed_tokens: 'count',
      timed_ms: 'count',
    },
    unique: [['created_at', 'dimensions_hash']],
    indexes: [['user_id', 'created_at']],
  })
