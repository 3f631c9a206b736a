import type { Kysely } from 'kysely'
import { createTable } from '../../tables.ts'

/** Console preferences of users. */
export const preferenceTable = {
  up: (on: Kysely<unknown>): Promise<void> =>
    createTable(on, 'preferences', {
      columns: { id: 'id', user_id: 'whole', name: 'key', value: 'text', changed_time: 'whole' },
      unique: [['user_id', 'name']],
    }),
}
