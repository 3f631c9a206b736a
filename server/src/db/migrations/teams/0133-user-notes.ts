import type { Kysely } from 'kysely'
import { createTable } from '../../tables.ts'

/** Operators' notes about users. */
export const userNotes = {
  up: (on: Kysely<unknown>): Promise<void> =>
    createTable(on, 'user_notes', {
      columns: {
        id: 'id',
        user_id: 'whole',
        author_id: 'whole',
        author_name: 'key',
        text: 'text',
        created_time: 'whole',
      },
      indexes: [['user_id']],
    }),
}
