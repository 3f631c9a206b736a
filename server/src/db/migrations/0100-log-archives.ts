import type { Kysely } from 'kysely'
import { createTable } from '../tables.ts'

/** Parquet files that hold rows of the log which are no longer, or soon not, in the database. */
export const logArchives = {
  up: (on: Kysely<unknown>): Promise<void> =>
    createTable(on, 'log_archives', {
      columns: {
        id: 'id',
        name: 'key',
        month: 'key',
        first_time: 'whole',
        last_time: 'whole',
        first_id: 'whole',
        last_id: 'whole',
        rows: 'whole',
        quota: 'whole',
        bytes: 'whole',
        created_time: 'whole',
        deleted_until: 'count',
        deleted_id: 'count',
        finished_time: 'count',
      },
      unique: [['name']],
      indexes: [['last_time']],
    }),
}
