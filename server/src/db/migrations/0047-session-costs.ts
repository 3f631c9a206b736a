import type { Kysely } from 'kysely'
import { addColumns } from '../tables.ts'

/** What the calls of a session cost the operator, and how fast their answers were. Calls that are there count as of unknown cost. */
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
