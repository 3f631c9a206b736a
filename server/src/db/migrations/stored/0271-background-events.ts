import type { Kysely } from 'kysely'
import { createTable } from '../../tables.ts'

/** Events of responses in the background that were asked for as streams. */
export const backgroundEvents = {
  up: (on: Kysely<unknown>): Promise<void> =>
    createTable(on, 'background_events', {
      columns: {
        id: 'id',
        response_id: 'key',
        first_number: 'whole',
        last_number: 'whole',
        created_time: 'whole',
        content_cipher: 'text',
      },
      unique: [['response_id', 'first_number']],
      indexes: [['response_id', 'last_number'], ['created_time']],
    }),
}
