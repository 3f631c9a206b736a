import { endpoint } from '@tollgate/contract/endpoint'
import { idParams } from '@tollgate/contract/page'
import { figureConditions } from '@tollgate/contract/records/figure-report'
import { figureMetricNames } from '@tollgate/contract/records/figures'
import { z } from 'zod'
import { alertComparisons, alertWindows, longestAlertName } from './alert-rules.ts'

/** Beyond it quota is no safe integer. */
const largestThreshold = Number.MAX_SAFE_INTEGER

export const alertQuestion = z.strictObject({
  metric: z.enum(figureMetricNames),
  /** All of them must hold. */
  filters: figureConditions,
  /** Own calls only; true for users whatever they say. */
  mine: z.boolean().default(false),
  comparison: z.enum(alertComparisons),
  /** In the unit of the metric: quota units, calls, tokens, a share of 1, milliseconds, tokens per second. */
  threshold: z.number().min(-largestThreshold).max(largestThreshold),
  window_hours: z.literal(alertWindows),
})
export type AlertQuestion = z.output<typeof alertQuestion>

export const alertChange = alertQuestion.extend({
  name: z.string().trim().min(1).max(longestAlertName),
  enabled: z.boolean().default(true),
})
export type AlertChange = z.output<typeof alertChange>

export const exploreAlert = alertChange.extend({
  id: z.int(),
  /** When the value went over the threshold, in unix seconds; 0 while it is not. */
  over_since: z.int(),
  /** null where it was not looked at yet, or there was nothing to measure. */
  last_value: z.number().nullable(),
  /** When the value was last looked at, and when its owner was last sent a notice; 0 for never. */
  checked_time: z.int(),
  noticed_time: z.int(),
})
export type ExploreAlert = z.output<typeof exploreAlert>

export const listAlerts = endpoint({
  method: 'GET',
  path: '/api/explore/alerts',
  access: 'user',
  summary: 'Own alerts on figures of calls, with the last value and whether it is over the threshold',
  data: z.array(exploreAlert),
})

export const createAlert = endpoint({
  method: 'POST',
  path: '/api/explore/alerts',
  access: 'user',
  summary: 'Makes an alert on a figure of calls; users on their own calls only. 50 at most',
  body: alertChange,
  data: exploreAlert,
})

export const updateAlert = endpoint({
  method: 'PUT',
  path: '/api/explore/alerts/:id',
  access: 'user',
  summary: 'Changes an own alert; another question or switching it on begins anew',
  params: idParams,
  body: alertChange,
  data: exploreAlert,
})

export const deleteAlert = endpoint({
  method: 'DELETE',
  path: '/api/explore/alerts/:id',
  access: 'user',
  summary: 'Deletes an own alert',
  params: idParams,
})
