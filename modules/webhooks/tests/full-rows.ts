import { type FullRows, longKey, longText, most, time } from '#server-test/support/db/full-rows/values.ts'
import type { WebhookTables } from '../server/tables.ts'

export const rows: FullRows<WebhookTables> = {
  webhook_endpoints: {
    user_id: 1,
    name: longKey,
    url: longText,
    events: longText,
    enabled: 1,
    secret_cipher: longText,
    created_time: time,
  },
  webhook_deliveries: {
    endpoint_id: 1,
    user_id: 1,
    event_id: longKey,
    event: 'batch.completed',
    object_id: longKey,
    body: longText,
    state: 'waiting',
    next_time: time,
    queued_time: time,
    created_time: time,
    attempts: most,
    status: 500,
    error_code: longKey,
    error_params: longText,
    last_error: longText,
  },
}
