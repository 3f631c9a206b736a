import type { Kysely } from 'kysely'
import { addColumns, createTable } from '../../tables.ts'

/** Cost tags of calls, see `billing/call-tags.ts`. Rows that are there have none. */
export const logTags = {
  up: (on: Kysely<unknown>): Promise<void> => addColumns(on, 'logs', { tags: 'key?' }),
}

/** Hourly figures of cost tags: one row for each tag of a call. */
export const callTags = {
  up: async (on: Kysely<unknown>): Promise<void> => {
    await logTags.up(on)
    await createTable(on, 'call_tag_hours', {
      columns: {
        id: 'id',
        created_at: 'whole',
        dimensions_hash: 'key',
        tag: 'key',
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
