import type { Kysely } from 'kysely'
import { addColumns } from '../tables.ts'

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
