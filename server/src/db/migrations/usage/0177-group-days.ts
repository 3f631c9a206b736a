import type { Kysely } from 'kysely'
import { createIndex } from '../../tables.ts'

/**
 * Who called in a group, and on which days, from the index alone. A charge that adds to a row of its day does not touch it; only
 * the first one of a day writes it.
 */
export const groupDays = {
  up: (on: Kysely<unknown>): Promise<void> =>
    createIndex(on, 'usage_days', ['group', 'created_at', 'user_id'], { unique: false }),
}
