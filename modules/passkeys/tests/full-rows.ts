import { type FullRows, longText, time } from '#server-test/support/db/full-rows/values.ts'
import type { PasskeyTables } from '../server/tables.ts'

export const rows: FullRows<PasskeyTables> = {
  passkeys: {
    user_id: 1,
    credential_hash: 'hash',
    credential_id: longText,
    public_key: longText,
    counter: 4_294_967_295,
    transports: '["internal"]',
    name: '🔑',
    created_time: time,
    last_used_time: time,
  },
}
