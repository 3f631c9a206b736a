import { type FullRows, longKey, time } from '#server-test/support/db/full-rows/values.ts'
import type { TodayTables } from '../server/tables.ts'

export const rows: FullRows<TodayTables> = {
  today_snoozes: { user_id: 1, card: longKey, until_time: time },
  today_notices: { card: longKey, noticed_time: time, last_time: time },
}
