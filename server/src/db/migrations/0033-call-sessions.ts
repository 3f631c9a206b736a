import type { Kysely } from 'kysely'
import { addColumns, createIndex, createTable } from '../tables.ts'

const usageTables = ['usage_hours', 'usage_days', 'usage_site_days', 'usage_user_periods']

/** The session of a call in a column of its own, so that the calls of a session are found. Rows that are there have none. */
export const logSessions = {
  up: async (on: Kysely<unknown>): Promise<void> => {
    await addColumns(on, 'logs', { session: 'key?' })
    await createIndex(on, 'logs', ['session', 'created_at', 'id'], { unique: false })
  },
}

/** Hourly figures of sessions, and what caches saved and cost beside the other sums. Calls that are there are not in them. */
export const callSessions = {
  up: async (on: Kysely<unknown>): Promise<void> => {
    await logSessions.up(on)
    for (const table of usageTables)
      await addColumns(on, table, { missed_tokens: 'count', cache_saved: 'count', cache_lost: 'count' })
    await createTable(on, 'call_session_hours', {
      columns: {
        id: 'id',
        created_at: 'whole',
        dimensions_hash: 'key',
        session: 'key',
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
      },
      unique: [['created_at', 'dimensions_hash']],
      indexes: [['session'], ['user_id', 'created_at']],
    })
  },
}
