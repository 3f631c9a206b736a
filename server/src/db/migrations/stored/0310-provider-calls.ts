import type { Kysely } from 'kysely'
import { addColumns, createTable } from '../../tables.ts'

/** Drawings and songs that their services have called about, and batches of clients that their providers have. */
export const providerCalls = {
  up: async (on: Kysely<unknown>): Promise<void> => {
    await createTable(on, 'task_calls', {
      columns: {
        request_id: 'key',
        platform: 'key',
        created_time: 'whole',
        nudged_time: 'whole',
        look_time: 'whole',
      },
      primaryKey: 'request_id',
      indexes: [['look_time']],
    })
    await addColumns(on, 'direct_batches', { nudged_time: 'count' })
  },
}

/** Looks at providers of batches that their calls have asked for. */
export const batchNudges = {
  up: (on: Kysely<unknown>): Promise<void> => addColumns(on, 'batches', { nudged_time: 'count', wait_time: 'count' }),
}
