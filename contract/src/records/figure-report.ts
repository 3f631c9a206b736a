import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { parseJson } from '../json.ts'
import { idParams, queryChoice, zoneQuery } from '../page.ts'
import { figureDimensionNames, figureMetricNames, rollups } from './figures.ts'

const mostFilters = 12
const mostValues = 50
const longestValue = 255

/** `contains` asks for a part of the name, whatever the case; it has one value. */
export const figureCondition = z.object({
  dimension: z.enum(figureDimensionNames),
  is: z.enum(['is', 'not', 'contains']),
  values: z.array(z.string().min(1).max(longestValue)).min(1).max(mostValues),
})
export type FigureCondition = z.output<typeof figureCondition>

/** All of them must hold. */
export const figureConditions = z.array(figureCondition).max(mostFilters)

const filters = z
  .string()
  .max(mostFilters * mostValues * longestValue)
  .default('[]')
  .transform(parseJson)
  .pipe(figureConditions)

export const figureQuery = z.object({
  metric: queryChoice(figureMetricNames, 'spend'),
  by: queryChoice(figureDimensionNames, 'model'),
  /** The second dimension, within the values of the first. */
  second: queryChoice(figureDimensionNames, undefined),
  /** JSON list of `figureCondition`; all of them must hold. */
  filters,
  /** Unix seconds. */
  start_timestamp: z.coerce.number().int().nonnegative(),
  end_timestamp: z.coerce.number().int().nonnegative(),
  rollup: queryChoice(rollups, 'day'),
  zone: zoneQuery,
  /** How many values have a line of their own. */
  top: z.coerce.number().int().min(1).max(50).default(5).catch(5),
  /** Adds figures of the preceding period of the same length. */
  compare: queryChoice(['before', 'none'], 'before'),
  /** `none` leaves `first_p95` null where the metric is no speed: histograms are by far the most that is read. */
  speed: queryChoice(['all', 'none'], 'all'),
})

const figure = z.number().nullable()

const rowFigures = {
  /** null where there is nothing to measure. */
  value: figure,
  /** The same in the time before; null where it is not compared. */
  before: figure,
  /** Of the whole; null for figures that do not add up. */
  share: figure,
  calls: z.int(),
  cache_share: figure,
  /** Milliseconds. */
  first_p95: figure,
}

/** A name, or an id as text. */
const keyed = {
  key: z.string(),
  name: z.string(),
  /** Owner of a key; only for operators. */
  owner: z.string().optional(),
}

const figureRow = z.object({ ...keyed, ...rowFigures, rest: z.boolean() })
export type FigureRow = z.output<typeof figureRow>

export const figureReport = z.object({
  /** Range that was summed: whole hours, first included, last not. */
  from: z.int(),
  to: z.int(),
  /** May be coarser than asked for, so that there are a few hundred points at most. */
  rollup: z.enum(rollups),
  /** True where the range is so long that days are those of UTC. */
  utc_days: z.boolean(),
  /** Start of each point. */
  buckets: z.array(z.int()),
  /** The largest ones, and last, where there is more, everything else with the key `rest`. */
  series: z.array(z.object({ ...keyed, rest: z.boolean(), values: z.array(figure) })),
  /** Everything together, in each point of now and of the time before. */
  sums: z.array(figure),
  sums_before: z.array(figure).optional(),
  /** Largest first; the last one may be the rest. */
  rows: z.array(figureRow.extend({ rows: z.array(figureRow) })),
  /** How many values `rest` stands for; at least this many where `more` is true. */
  rest_values: z.int(),
  more: z.boolean(),
  total: z.object(rowFigures),
  /** Option DataExportInterval: how often a page that stays open asks again. */
  refresh_minutes: z.int(),
})
export type FigureReport = z.output<typeof figureReport>

export const getFigures = endpoint({
  method: 'GET',
  path: '/api/explore',
  access: 'admin',
  summary: 'Any figure of all calls, by one or two dimensions, over time',
  query: figureQuery,
  unusableBodyStatus: 400,
  data: figureReport,
})

export const getOrganisationFigures = endpoint({
  method: 'GET',
  path: '/api/organisation/:id/explore',
  access: 'user',
  summary: 'Any figure of the calls of an organisation that the caller may read, by one or two dimensions, over time',
  params: idParams,
  query: figureQuery,
  unusableBodyStatus: 400,
  data: figureReport,
})

export const getOwnFigures = endpoint({
  method: 'GET',
  path: '/api/explore/self',
  access: 'user',
  summary: 'Any figure of own calls, by one or two dimensions, over time',
  query: figureQuery,
  unusableBodyStatus: 400,
  data: figureReport,
})
