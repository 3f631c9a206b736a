import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { idParams, queryChoice, zoneQuery } from '../page.ts'

const whole = z.coerce.number().int().nonnegative().default(0).catch(0)

/** One row of the reference's dashboard data: hourly figures of a model. */
export const quotaDatum = z.object({
  id: z.int(),
  user_id: z.int(),
  username: z.string(),
  model_name: z.string(),
  /** Start of the hour. */
  created_at: z.int(),
  token_used: z.int(),
  count: z.int(),
  quota: z.int(),
})
export type QuotaDatum = z.output<typeof quotaDatum>

const spanQuery = { start_timestamp: whole, end_timestamp: whole }

export const getQuotaData = endpoint({
  method: 'GET',
  path: '/api/data/',
  access: 'admin',
  summary: 'Hourly figures by model: of a user, or of all users together',
  query: z.object({ ...spanQuery, username: z.string().trim().default('') }),
  data: z.array(quotaDatum),
})

/** Seconds that own hourly figures may span. */
export const longestDataSeconds = 2_592_000

export const getOwnQuotaData = endpoint({
  method: 'GET',
  path: '/api/data/self',
  access: 'user',
  summary: 'Own hourly figures by model; at most 30 days at once',
  query: z.object(spanQuery),
  data: z.array(quotaDatum),
})

export const granularities = ['hour', 'day', 'week'] as const
export type Granularity = (typeof granularities)[number]
/** Measures of usage; cost at the providers and margin (charges less cost) are for operators only. */
export const usageMetrics = ['quota', 'cost', 'margin', 'count', 'tokens'] as const
export type UsageMetric = (typeof usageMetrics)[number]
export const ownUsageMetrics = ['quota', 'count', 'tokens'] as const
/** Dimensions that figures can be split by; users split their own by the first three. */
export const usageDimensions = ['model', 'token', 'group', 'user', 'channel'] as const
export type UsageDimension = (typeof usageDimensions)[number]
export const ownUsageDimensions = ['model', 'token', 'group'] as const

const id = z.coerce.number().int().nonnegative().optional().catch(undefined)

const reportQuery = {
  start_timestamp: z.coerce.number().int().nonnegative(),
  end_timestamp: z.coerce.number().int().nonnegative(),
  granularity: queryChoice(granularities, 'day'),
  /** IANA name; days and weeks begin at its midnight. */
  zone: zoneQuery,
  model: z.string().default(''),
  group: z.string().default(''),
  token: id,
}

/** For operators only; absent for others. */
const costFigures = {
  /** Quota units that calls cost whose cost is known. */
  cost: z.int().optional(),
  /** Charges of these calls, less their cost. */
  margin: z.int().optional(),
  /** Calls whose cost is not known, and what was charged for them: neither cost nor margin has them. */
  uncosted: z.int().optional(),
  uncosted_quota: z.int().optional(),
}

const figures = { quota: z.int(), count: z.int(), tokens: z.int(), failures: z.int(), ...costFigures }

export const usageTotals = z.object({
  quota: z.int(),
  count: z.int(),
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  /** Failed calls that were logged. */
  failures: z.int(),
  ...costFigures,
})
export type UsageTotals = z.output<typeof usageTotals>

/** Key of a row: name of a model or group, id of a user, key or channel. */
const usageKey = {
  key: z.string(),
  name: z.string(),
  /** Owner of a key; only for operators. */
  owner: z.string().optional(),
}

export const usageReport = z.object({
  /** Range that was summed: whole hours, first included, last not. */
  from: z.int(),
  to: z.int(),
  /** May be coarser than asked for, so that there are a few hundred points at most. */
  granularity: z.enum(granularities),
  /** True where the range is so long that days are those of UTC. */
  utc_days: z.boolean(),
  /** Start of each point. */
  buckets: z.array(z.int()),
  /** The largest ones, and last, where there is more, everything else with the key `rest`. */
  series: z.array(
    z.object({
      ...usageKey,
      rest: z.boolean(),
      quota: z.array(z.int()),
      count: z.array(z.int()),
      tokens: z.array(z.int()),
      /** For operators only, as in `totals`. */
      cost: z.array(z.int()).optional(),
      margin: z.array(z.int()).optional(),
    }),
  ),
  /** Largest first; the last one may be the rest. */
  top: z.array(z.object({ ...usageKey, rest: z.boolean(), ...figures })),
  totals: usageTotals,
  /** The same for as long a time before. */
  before: usageTotals,
  /** Option DataExportInterval: how often a page that stays open asks again. */
  refresh_minutes: z.int(),
})
export type UsageReport = z.output<typeof usageReport>

export const getUsageReport = endpoint({
  method: 'GET',
  path: '/api/dashboard',
  access: 'admin',
  summary: 'What everybody used in a range, over time and by model, user, key, channel or group',
  query: z.object({
    ...reportQuery,
    /** By what the named series and the list are chosen. */
    metric: queryChoice(usageMetrics, 'quota'),
    by: queryChoice(usageDimensions, 'model'),
    user: id,
    channel: id,
  }),
  unusableBodyStatus: 400,
  data: usageReport,
})

const ownReportQuery = z.object({
  ...reportQuery,
  metric: queryChoice(ownUsageMetrics, 'quota'),
  by: queryChoice(ownUsageDimensions, 'model'),
})

export const getOwnUsageReport = endpoint({
  method: 'GET',
  path: '/api/dashboard/self',
  access: 'user',
  summary: 'What one used oneself in a range, over time and by model, key or group',
  query: ownReportQuery,
  unusableBodyStatus: 400,
  data: usageReport,
})

export const getOrganisationUsageReport = endpoint({
  method: 'GET',
  path: '/api/organisation/:id/dashboard',
  access: 'user',
  summary:
    'What an organisation used in a range, as far as the caller may read it, over time and by model, key or group',
  params: idParams,
  query: ownReportQuery,
  unusableBodyStatus: 400,
  data: usageReport,
})
