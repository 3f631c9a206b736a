import type { Kysely } from 'kysely'
import { createTable } from '../../tables.ts'

/** How far sinks are that usage is sent to. */
export const usageSinks = {
  up: (on: Kysely<unknown>): Promise<void> =>
    createTable(on, 'usage_sinks', {
      columns: {
        name: 'key',
        cursor_id: 'whole',
        sent: 'count',
        sent_time: 'count',
        failures: 'count',
        error: 'text',
        retry_time: 'count',
      },
      primaryKey: 'name',
    }),
}
