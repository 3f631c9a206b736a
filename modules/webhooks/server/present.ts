import { type Language, type WebhookDelivery, webhookDelivery } from '@tollgate/contract'
import { parseObject } from '@tollgate/contract/json'
import { writeLogError } from '@tollgate/contract/records/log-texts'
import type { DeliveryRow } from './deliveries.ts'

/** A delivery as its owner sees it. */
export const shownDelivery = (row: DeliveryRow, language: Language): WebhookDelivery => {
  const { id, event_id, event, object_id, state, attempts, status, created_time, next_time } = row
  const error = { code: row.error_code, params: parseObject(row.error_params) }
  const text = writeLogError(error, language) ?? row.last_error
  return webhookDelivery.parse({
    id,
    event_id,
    event,
    object_id,
    state,
    attempts,
    status,
    error: error.code === '' ? null : { ...error, text },
    created_time,
    time: next_time,
  })
}
