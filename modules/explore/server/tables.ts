import type { Flag, Id, Time } from '#server/db/schema/columns.ts'

/** An alert for a figure that passes a threshold. */
export interface ExploreAlertsTable {
  id: Id
  user_id: number
  name: string
  metric: string
  /** JSON, see `figureConditions` of the contract. */
  filters: string
  /** True if it covers the owner's calls only; those of users always do. */
  own_calls: Flag
  comparison: string
  threshold: number
  window_hours: number
  enabled: Flag
  /** Counts changes by the owner: a value read before a change is ignored. */
  version: number
  /** 0 while the value is not over. */
  over_since: Time
  /** null where nothing was measured. */
  last_value: number | null
  checked_time: Time
  noticed_time: Time
  changed_time: Time
}

export interface ExploreTables {
  explore_alerts: ExploreAlertsTable
}

declare module '#server/db/schema.ts' {
  interface Tables extends ExploreTables {}
}
