import type { Kysely } from 'kysely'
import { addColumns, createTable } from '../tables.ts'

/** Calls that a report and the log disagree about one by one, and the time zone that a report counts its days in. */
export const reconciledCalls = {
  up: async (on: Kysely<unknown>): Promise<void> => {
    await addColumns(on, 'report_imports', { utc_offset: 'count' })
    await createTable(on, 'report_calls', {
      columns: { id: 'id', import_id: 'whole', list: 'key', comparison: 'text' },
      indexes: [['import_id', 'list', 'id']],
    })
  },
}
