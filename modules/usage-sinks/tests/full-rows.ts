import { type FullRows, longKey, longText, most, time } from '#server-test/support/db/full-rows/values.ts'
import type { UsageSinkTables } from '../server/tables.ts'

export const rows: FullRows<UsageSinkTables> = {
  usage_sinks: {
    name: longKey,
    cursor_id: most,
    sent: most,
    sent_time: time,
    failures: most,
    error: longText,
    retry_time: time,
  },
}
