import type { Kysely } from 'kysely'
import { addColumns, createIndex, createTable } from '../../tables.ts'

/** The customers of callers for whom calls are made, see `gateway/request/end-user.ts`. Rows that are there have none. */
export const logEndUsers = {
  up: async (on: Kysely<unknown>): Promise<void> => {
    await addColumns(on, 'logs', { end_user: 'key?' })
    await createIndex(on, 'logs', ['end_user', 'created_at', 'id'], { unique: false })
  },
}

/** Hourly figures of them. */
export const endUsers = {
  up: async (on: Kysely<unknown>): Promise<void> => {
    await logEndUsers.up(on)
    await createTable(on, 'call_end_user_hours', {
      columns: {
        id: 'id',
        created_at: 'whole',
        dimensions_hash: 'key',
        end_user: 'key',
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
  },
}
