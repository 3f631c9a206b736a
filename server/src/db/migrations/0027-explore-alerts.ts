import type { Kysely } from 'kysely'
import { createTable } from '../tables.ts'

/** Values of figures of which users want to know. */
export const exploreAlerts = {
  up: (on: Kysely<unknown>): Promise<void> =>
    createTable(on, 'explore_alerts', {
      columns: {
        id: 'id',
        user_id: 'whole',
        name: 'key',
        metric: 'key',
        filters: 'text',
        own_calls: 'whole',
        comparison: 'key',
        threshold: 'real',
        window_hours: 'whole',
        enabled: 'whole',
        version: 'count',
        over_since: 'count',
        last_value: 'real?',
        checked_time: 'count',
        noticed_time: 'count',
        changed_time: 'whole',
      },
      indexes: [['user_id'], ['enabled']],
    }),
}
