import type { Flag, Id, Time } from '#server/db/schema/columns.ts'

export interface WebhookEndpointsTable {
  id: Id
  user_id: number
  name: string
  url: string
  /** Comma list of the events that are sent there. */
  events: string
  enabled: Flag
  secret_cipher: string
  created_time: Time
}

/** Events on their way to an endpoint, and those of the last days that have arrived or were given up. */
export interface WebhookDeliveriesTable {
  id: Id
  endpoint_id: number
  user_id: number
  /** Made of the job, so that one end is one delivery to each endpoint. */
  event_id: string
  event: string
  object_id: string
  /** The JSON that is signed and sent. */
  body: string
  state: 'waiting' | 'delivered' | 'failed'
  /** From then on it is due, or the lease of its process ends; when it has ended, the time of that. */
  next_time: Time
  /** From then on the time for attempts counts. */
  queued_time: Time
  created_time: Time
  attempts: number
  /** HTTP status of the last attempt; 0 for none. */
  status: number
  /** Code and parameters of the error of the last attempt; empty for none. */
  error_code: string
  error_params: string
  last_error: string
}

export interface WebhookTables {
  webhook_endpoints: WebhookEndpointsTable
  webhook_deliveries: WebhookDeliveriesTable
}

declare module '#server/db/schema.ts' {
  interface Tables extends WebhookTables {}
}
