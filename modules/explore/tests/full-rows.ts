import { type FullRows, longKey, longText, most, time } from '#server-test/support/db/full-rows/values.ts'
import type { ExploreTables } from '../server/tables.ts'

export const rows: FullRows<ExploreTables> = {
  explore_alerts: {
    user_id: 1,
    name: longKey,
    metric: 'spend',
    filters: longText,
    own_calls: 1,
    comparison: 'above',
    threshold: 0.05,
    window_hours: 168,
    enabled: 1,
    version: most,
    over_since: time,
    last_value: null,
    checked_time: time,
    noticed_time: time,
    changed_time: time,
  },
}
