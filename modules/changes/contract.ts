import { endpoint } from '@tollgate/contract/endpoint'
import { parseJson } from '@tollgate/contract/json'
import { queryChoice, zoneQuery } from '@tollgate/contract/page'
import { figureCondition, figureConditions } from '@tollgate/contract/records/figure-report'
import { figureDimensionNames } from '@tollgate/contract/records/figures'
import { siteEvent } from '@tollgate/contract/records/site-events'
import { z } from 'zod'

/** Factors of a change, in the order in which they are exchanged; `corrections` are charges without calls. */
export const changeEffectNames = ['calls', 'mix', 'input', 'output', 'cache', 'group', 'price', 'corrections'] as const
export type ChangeEffectName = (typeof changeEffectNames)[number]

/** Dimensions that a change can be about. */
const filterDimensions = ['user', 'key', 'model', 'channel', 'group'] as const

const longestFilters = 4_000

const changeFilters = z
  .string()
  .max(longestFilters)
  .default('[]')
  .transform(parseJson)
  .pipe(figureConditions)
  .refine((filters) => filters.every(({ dimension }) => (filterDimensions as readonly string[]).includes(dimension)))

export const changeQuery = z.object({
  /** Unix seconds; without both it is yesterday of the zone. */
  start_timestamp: z.coerce.number().int().nonnegative().default(0),
  end_timestamp: z.coerce.number().int().nonnegative().default(0),
  zone: zoneQuery,
  /** JSON list of conditions on users, keys, models, channels and groups; all of them must hold. */
  filters: changeFilters,
  /** `largest` leaves out all terms but the largest one. */
  terms: queryChoice(['all', 'largest'], 'all'),
})

const period = z.object({ from: z.int(), to: z.int() })

/** Stored sums. */
const changeSums = z.object({
  /** Calls that were charged. */
  calls: z.int(),
  /** Quota units. */
  quota: z.int(),
  prompt: z.int(),
  /** Parts of the prompt that were read from and written to a cache. */
  cached: z.int(),
  written: z.int(),
  output: z.int(),
})
export type ChangeSums = z.output<typeof changeSums>

const named = z.object({ id: z.int(), name: z.string() })

const changeRow = z.object({
  /** A value of the dimension `by`, or an effect without one; empty for the others together. */
  key: z.string(),
  name: z.string(),
  /** Owner of a key; only for operators. */
  owner: z.string().optional(),
  /** Quota units of one period. */
  amount: z.int(),
  /** Conditions with which figures are those of the row. */
  filters: z.array(figureCondition),
})
export type ChangeTermRow = z.output<typeof changeRow>

const changeTerm = z.object({
  /** `other` for several small ones. */
  effect: z.enum([...changeEffectNames, 'other']),
  /** Quota units of one period. */
  amount: z.int(),
  /** Number of keys or models that it is about. */
  count: z.int(),
  /** Only for operators. */
  user: named.optional(),
  key: named.optional(),
  model: z.string().optional(),
  /** Conditions with which figures are those of the term, the ones of the question included. */
  filters: z.array(figureCondition),
  now: changeSums,
  /** Sums of all reference periods together. */
  before: changeSums,
  /** Dimension of the rows; absent where they are effects. */
  by: z.enum(figureDimensionNames).optional(),
  /** Largest first; they add up to the amount. */
  rows: z.array(changeRow),
  /** Change of a channel or of prices that explains it; only for operators. */
  event: siteEvent.optional(),
})
export type ChangeTermShown = z.output<typeof changeTerm>

export const changeReport = z.object({
  ...period.shape,
  /** Periods that make the usual one; empty where nothing is stored of an earlier time. */
  reference: z.array(period),
  /** The same weekday of the weeks before, the days before, or as long a time before. */
  kind: z.enum(['weekday', 'days', 'before']),
  now: changeSums,
  before: changeSums,
  /** Quota units: the mean of the reference periods, and the charges less this mean. */
  usual: z.int(),
  difference: z.int(),
  /** True where the difference and each of its parts are small. */
  calm: z.boolean(),
  /**
   * Quota units of calls whose cost is known, sold and bought, and the mean of the reference periods: the margin changes by what was sold
   * less the cost. Only for operators, where there are such calls.
   */
  margin: z.object({ sold: z.int(), cost: z.int(), usual_sold: z.int(), usual_cost: z.int() }).optional(),
  /** They add up to the difference. Largest first, `other` last. */
  terms: z.array(changeTerm),
})
export type ChangeReport = z.output<typeof changeReport>

export const getChanges = endpoint({
  method: 'GET',
  path: '/api/changes',
  access: 'admin',
  summary:
    'Why the charges of a period, yesterday where none is named, differ from the usual ones: exact parts that add up',
  query: changeQuery,
  unusableBodyStatus: 400,
  data: changeReport,
})

export const getOwnChanges = endpoint({
  method: 'GET',
  path: '/api/changes/self',
  access: 'user',
  summary: 'The same for own calls',
  query: changeQuery,
  unusableBodyStatus: 400,
  data: changeReport,
})

const longestRequestId = 64

const callQuery = z.object({ request_id: z.string().min(1).max(longestRequestId) })

export const callComparison = z
  .object({
    model: z.string(),
    /** Quota units: the call, and the median of recent calls of the model. */
    quota: z.int(),
    median: z.number(),
    /** Number of calls that the median is of. */
    calls: z.int(),
    prompt: z.int(),
    /** Part of the prompt that was read from a cache. */
    cached: z.int(),
  })
  .nullable()
export type CallComparison = z.output<typeof callComparison>

export const compareCall = endpoint({
  method: 'GET',
  path: '/api/changes/call',
  access: 'admin',
  summary: 'A charged call beside the median of recent calls of its model; null where there are too few',
  query: callQuery,
  data: callComparison,
})

export const compareOwnCall = endpoint({
  method: 'GET',
  path: '/api/changes/self/call',
  access: 'user',
  summary: 'An own charged call beside the median of recent own calls of its model; null where there are too few',
  query: callQuery,
  data: callComparison,
})

const longestSession = 64

const sessionQuery = z.object({ session: z.string().trim().min(1).max(longestSession) })

export const sessionComparison = z
  .object({
    /** Quota units: the session, and the median of recent sessions of its user. */
    quota: z.int(),
    median: z.number(),
    /** Number of sessions that the median is of. */
    sessions: z.int(),
    prompt: z.int(),
    /** Part of the prompts that was read from a cache. */
    cached: z.int(),
  })
  .nullable()
export type SessionComparison = z.output<typeof sessionComparison>

export const compareSession = endpoint({
  method: 'GET',
  path: '/api/changes/session',
  access: 'admin',
  summary: 'A session beside the median of recent sessions of its user; null where there are too few',
  query: sessionQuery,
  data: sessionComparison,
})

export const compareOwnSession = endpoint({
  method: 'GET',
  path: '/api/changes/self/session',
  access: 'user',
  summary: 'An own session beside the median of recent own ones; null where there are too few',
  query: sessionQuery,
  data: sessionComparison,
})
