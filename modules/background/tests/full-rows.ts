import { type FullRows, longKey, longText, most, time } from '#server-test/support/db/full-rows/values.ts'
import type { BackgroundTables } from '../server/tables.ts'

export const rows: FullRows<BackgroundTables> = {
  background_answers: {
    response_id: longKey,
    user_id: 1,
    token_id: 1,
    state: 'open',
    due_time: time,
    attempts: 1,
    error: longText,
    created_time: time,
    request_cipher: longText,
  },
  background_events: {
    response_id: longKey,
    first_number: most,
    last_number: most,
    created_time: time,
    content_cipher: longText,
  },
}
