import { type FullRows, longKey, longText, most, time } from '#server-test/support/db/full-rows/values.ts'
import type { InspectorTables } from '../server/tables.ts'

export const rows: FullRows<InspectorTables> = {
  inspections: {
    kind: 'token',
    target_id: most,
    target_name: longKey,
    reason: longKey,
    started_by: 1,
    started_role: 100,
    started_name: longKey,
    started_time: time,
    ends_time: time,
  },
  captures: {
    inspection_id: most,
    request_id: longKey,
    created_time: time,
    expires_time: time,
    user_id: most,
    user_role: 1,
    username: longKey,
    token_name: longKey,
    channel_id: most,
    model: longKey,
    path: longKey,
    status: 200,
    quota: most,
    prompt_tokens: most,
    completion_tokens: most,
    took_ms: most,
    bytes: most,
    pinned: 1,
    replay_of: most,
    content_cipher: longText,
  },
}
