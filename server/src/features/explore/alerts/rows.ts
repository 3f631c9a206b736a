import {
  type AlertChange,
  type AlertQuestion,
  alertComparisons,
  alertWindows,
  type ExploreAlert,
  exploreFilters,
  exploreMetricNames,
} from '@tollgate/contract'
import type { Selectable } from 'kysely'
import { z } from 'zod'
import type { ExploreAlertsTable } from '../../../db/schema.ts'

export type AlertRow = Selectable<ExploreAlertsTable>

const storedFacts = z.object({
  metric: z.enum(exploreMetricNames),
  comparison: z.enum(alertComparisons),
  window_hours: z.literal(alertWindows),
})

/** Question of a stored alert. */
export const questionOf = (row: AlertRow): AlertQuestion => ({
  ...storedFacts.parse(row),
  filters: exploreFilters.parse(JSON.parse(row.filters)),
  mine: row.own_calls === 1,
  threshold: row.threshold,
})

/** A row as its owner reads it. */
export const alertOf = (row: AlertRow): ExploreAlert => ({
  id: row.id,
  name: row.name,
  ...questionOf(row),
  enabled: row.enabled === 1,
  over_since: row.over_since,
  last_value: row.last_value,
  checked_time: row.checked_time,
  noticed_time: row.noticed_time,
})

/** The columns of what an owner decides. */
export const columnsOf = ({ name, metric, filters, mine, comparison, threshold, ...change }: AlertChange) => ({
  name,
  metric,
  filters: JSON.stringify(filters),
  own_calls: mine ? 1 : 0,
  comparison,
  threshold,
  window_hours: change.window_hours,
  enabled: change.enabled ? 1 : 0,
})

/** State of an alert before its value was read. */
export const unknownState = { over_since: 0, last_value: null, checked_time: 0, noticed_time: 0 } as const
