import type { Kysely } from 'kysely'
import { createTable } from '../tables.ts'

/** What channels cost that lost a stream to another one, by hour: an account of its own beside what calls cost. */
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
