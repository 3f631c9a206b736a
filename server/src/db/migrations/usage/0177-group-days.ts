import type { Kysely } from 'kysely'
import { createIndex } from '../../tables.ts'

/**
 * Index for the callers of a group by day. A charge that adds to an existing row of its day does not touch it; only the first one of a
 * day writes it.
 */
export const groupDays = {
  up: (on: Kysely<unknown>): Promise<void> =>
    createIndex(on, 'usage_days', ['group', 'created_at', 'user_id'], { unique: false }),
}
