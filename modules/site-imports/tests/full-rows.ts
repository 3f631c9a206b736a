import type { FullRows } from '#server-test/support/db/full-rows/values.ts'
import type { ImportTables } from '../server/tables.ts'

export const rows: FullRows<ImportTables> = {
  import_rows: { site: 'one-api', kind: 'user', source_id: 'u-1', target_id: 1 },
}
