import type { Kysely } from 'kysely'
import { createTable } from '../../tables.ts'

/** Inspections and the calls that they captured. */
export const inspector = {
  up: async (on: Kysely<unknown>): Promise<void> => {
    await createTable(on, 'inspections', {
      columns: {
        id: 'id',
        kind: 'key',
        target_id: 'whole',
        target_name: 'key',
        reason: 'key',
        started_by: 'whole',
        started_role: 'whole',
        started_name: 'key',
        started_time: 'whole',
        ends_time: 'whole',
      },
      indexes: [['ends_time']],
    })
    await createTable(on, 'captures', {
      columns: {
        id: 'id',
        inspection_id: 'whole',
        request_id: 'key',
        created_time: 'whole',
        expires_time: 'whole',
        user_id: 'whole',
        user_role: 'whole',
        username: 'key',
        token_name: 'key',
        channel_id: 'whole',
        model: 'key',
        path: 'key',
        status: 'whole',
        quota: 'count',
        prompt_tokens: 'count',
        completion_tokens: 'count',
        took_ms: 'count',
        bytes: 'count',
        pinned: 'count',
        replay_of: 'count',
        content_cipher: 'text',
      },
      indexes: [['inspection_id'], ['request_id'], ['expires_time'], ['replay_of']],
    })
  },
}
