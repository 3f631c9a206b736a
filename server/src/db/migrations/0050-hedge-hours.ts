import type { Kysely } from 'kysely'
import { createTable } from '../tables.ts'

/** Costs of losing channels of hedged streams, by hour: a separate account beside the costs of calls. */
export const hedgeHours = {
  up: (on: Kysely<unknown>): Promise<void> =>
    createTable(on, 'hedge_hours', {
      columns: {
        id: 'id',
        created_at: 'whole',
        channel_id: 'whole',
        model_name: 'key',
        count: 'count',
        won: 'count',
        cost: 'count',
      },
      unique: [['created_at', 'channel_id', 'model_name']],
    }),
}
