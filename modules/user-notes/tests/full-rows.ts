import { type FullRows, longText, time } from '#server-test/support/db/full-rows/values.ts'
import type { UserNoteTables } from '../server/tables.ts'

export const rows: FullRows<UserNoteTables> = {
  user_notes: { user_id: 1, author_id: 2, author_name: 'root', text: longText, created_time: time },
}
