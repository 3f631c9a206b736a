import type { Kysely } from 'kysely'
import { createTable } from '../../tables.ts'

/** Webhook endpoints of users, and the events on their way there. */
export const webhooks = {
  async up(on: Kysely<unknown>): Promise<void> {
    await createTable(on, 'webhook_endpoints', {
      columns: {
        id: 'id',
        user_id: 'whole',
        name: 'key',
        url: 'text',
        events: 'text',
        enabled: 'whole',
        secret_cipher: 'text',
        created_time: 'whole',
      },
      indexes: [['user_id']],
    })
    await createTable(on, 'webhook_deliveries', {
      columns: {
        id: 'id',
        endpoint_id: 'whole',
        user_id: 'whole',
        event_id: 'key',
        event: 'key',
        object_id: 'key',
        body: 'text',
        state: 'key',
        next_time: 'whole',
        queued_time: 'whole',
        created_time: 'whole',
        attempts: 'count',
        status: 'whole',
        error_code: 'key',
        error_params: 'text',
        last_error: 'text',
      },
      unique: [['endpoint_id', 'event_id']],
      indexes: [['state', 'next_time']],
    })
  },
}
