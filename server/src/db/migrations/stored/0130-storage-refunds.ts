import type { Kysely } from 'kysely'
import { createTable } from '../../tables.ts'

/** Due refunds for cached contents that were deleted early; a row is deleted in the transaction of its refund. */
export const storageRefunds = {
  up: (on: Kysely<unknown>): Promise<void> =>
    createTable(on, 'storage_refunds', {
      columns: {
        request_id: 'key',
        user_id: 'whole',
        channel_id: 'whole',
        content_name: 'key',
        quota: 'whole',
        created_time: 'whole',
        next_time: 'whole',
        attempts: 'count',
        last_error: 'text',
      },
      primaryKey: 'request_id',
      indexes: [['next_time']],
    }),
}
