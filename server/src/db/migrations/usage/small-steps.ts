import type { Kysely } from 'kysely'
import { addColumns, createIndex, createTable } from '../../tables.ts'

// Steps of a few lines each; their numbers and their order are in `migrations/index.ts`.

/** Charges of users for calls that they aborted before the first byte, by day. */
export const abortedCalls = {
  up: (on: Kysely<unknown>): Promise<void> =>
    createTable(on, 'aborted_calls', {
      columns: { id: 'id', user_id: 'whole', created_at: 'whole', count: 'whole', quota: 'whole' },
      unique: [['user_id', 'created_at']],
    }),
}

const tables = ['usage_hours', 'usage_days', 'usage_site_days', 'usage_user_periods']

/** Costs of calls at their providers, beside their charges. The cost of existing calls is unknown. */
export const costColumns = {
  up: async (on: Kysely<unknown>): Promise<void> => {
    for (const table of tables)
      await addColumns(on, table, { cost: 'count', costed_count: 'count', costed_quota: 'count' })
  },
}

/** Marks corrected calls with a known cost, so that the margin figures follow. */
export const correctedCosts = {
  up: (on: Kysely<unknown>): Promise<void> => addColumns(on, 'correction_calls', { costed: 'count' }),
}

/** Costs and speed of the calls of a session. Existing calls count as of unknown cost. */
export const sessionCosts = {
  up: (on: Kysely<unknown>): Promise<void> =>
    addColumns(on, 'call_session_hours', {
      cost: 'count',
      costed_count: 'count',
      costed_quota: 'count',
      reasoning_tokens: 'count',
      timed_tokens: 'count',
      timed_ms: 'count',
    }),
}

/** Costs of losing channels of hedged streams, by hour: a separate account beside the costs of calls. */
export const hedgeHours = {
  up: (on: Kysely<unknown>): Promise<void> =>
    createTable(on, 'hedge_hours', {
      columns: {
        id: 'id',
        created_at: 'whole',
        channel_id: 'whole',
        model_name: 'key',
        count: 'count',
        won: 'count',
        cost: 'count',
      },
      unique: [['created_at', 'channel_id', 'model_name']],
    }),
}

/**
 * Index for the callers of a group by day. A charge that adds to an existing row of its day does not touch it; only the first one of a
 * day writes it.
 */
export const groupDays = {
  up: (on: Kysely<unknown>): Promise<void> =>
    createIndex(on, 'usage_days', ['group', 'created_at', 'user_id'], { unique: false }),
}

/** Flag of keys that only calls with a deadline may use; off for existing keys. */
export const deadlineKeys = {
  up: (on: Kysely<unknown>): Promise<void> => addColumns(on, 'tokens', { deadline_only: 'count' }),
}

/** Flag of keys whose answers state their cost; off for existing keys. */
export const includeCost = {
  up: (on: Kysely<unknown>): Promise<void> => addColumns(on, 'tokens', { include_cost: 'count' }),
}
