import { type FullRows, most, time } from '#server-test/support/db/full-rows/values.ts'
import type { ArchiveTables } from '../server/tables.ts'

export const rows: FullRows<ArchiveTables> = {
  log_archives: {
    name: 'logs-2026-03.parquet',
    month: '2026-03',
    first_time: time,
    last_time: time,
    first_id: 1,
    last_id: most,
    rows: most,
    quota: most,
    bytes: most,
    created_time: time,
    finished_time: time,
    deleted_until: time,
    deleted_id: most,
  },
}
