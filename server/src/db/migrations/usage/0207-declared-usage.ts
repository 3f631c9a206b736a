import type { Kysely } from 'kysely'
import { createTable } from '../../tables.ts'

/** Parts of answers that no table declares, what calls were charged for them, and how the operator declared them. */
export const declaredUsage = {
  up: (on: Kysely<unknown>): Promise<void> =>
    createTable(on, 'declared_usage', {
      columns: {
        id: 'id',
        kind_key: 'key',
        kind: 'key',
        place: 'key',
        name: 'key',
        first_time: 'whole',
        last_time: 'whole',
        calls: 'count',
        quota: 'count',
        settled_calls: 'count',
        settled_time: 'count',
        noticed_time: 'count',
        model_name: 'key',
        channel_id: 'whole',
        request_id: 'key',
        declaration: 'text',
        declared_time: 'count',
        declared_by: 'key',
      },
      unique: [['kind_key']],
    }),
}
