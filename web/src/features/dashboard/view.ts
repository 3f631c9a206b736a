import {
  type Granularity,
  granularities,
  ownUsageDimensions,
  ownUsageMetrics,
  type UsageDimension,
  type UsageMetric,
  usageDimensions,
  usageMetrics,
} from '../../lib/api/contract.ts'
import { type RangeName, readRange } from '../../lib/time/time-range.ts'
import type { FigureLink } from '../../lib/url/figure-link.ts'
import type { Search } from '../../lib/url/url-state.ts'

/** Dimensions that the figures can be narrowed to one value of. */
export const narrowings = ['model', 'group', 'token', 'user', 'channel'] as const

/** The state of the dashboard, stored in the address. */
export interface DashboardView {
  readonly range: string
  readonly granularity: Granularity
  readonly metric: UsageMetric
  readonly by: UsageDimension
  readonly mine: boolean
  /** Value by dimension, as text. */
  readonly only: Readonly<Partial<Record<UsageDimension, string>>>
}

/** The ranges that make sense for hourly figures. */
export const dashboardRanges: readonly RangeName[] = ['24h', '3d', '7d', '30d', 'today', 'yesterday', 'month', 'year']

const rangeOf = { hour: '24h', day: '7d', week: '30d' } as const satisfies Record<Granularity, RangeName>

const isGranularity = (text: string | undefined): text is Granularity =>
  (granularities as readonly (string | undefined)[]).includes(text)

const oneOf = <T extends string>(values: readonly T[], text: string | undefined, fallback: T): T =>
  values.find((value) => value === text) ?? fallback

/** Reads the address; option DataExportDefaultTime sets the default. */
export const readView = (search: Search, defaultTime: string, isAdmin: boolean): DashboardView => {
  const granularity = isGranularity(defaultTime) ? defaultTime : 'hour'
  const mine = !isAdmin || search.mine === '1'
  const only = Object.fromEntries(
    narrowings.flatMap((name) => (search[name] && (!mine || isOwn(name)) ? [[name, search[name]]] : [])),
  )
  return {
    range: search.range ?? rangeOf[granularity],
    granularity: oneOf(granularities, search.granularity, granularity),
    metric: mine ? oneOf(ownUsageMetrics, search.metric, 'quota') : oneOf(usageMetrics, search.metric, 'quota'),
    by: mine ? oneOf(ownUsageDimensions, search.by, 'model') : oneOf(usageDimensions, search.by, 'model'),
    mine,
    only,
  }
}

const isOwn = (name: UsageDimension): boolean => (ownUsageDimensions as readonly string[]).includes(name)

export const defaultRangeOf = (defaultTime: string): RangeName =>
  rangeOf[isGranularity(defaultTime) ? defaultTime : 'hour']

/** The query of the report; `anchor` in unix seconds. */
export const queryOf = (view: DashboardView, anchor: number, zone: string) => {
  const { from = 0, to = anchor } = readRange(view.range, anchor, '7d', zone)
  return {
    start_timestamp: Math.floor(from),
    end_timestamp: Math.floor(to),
    granularity: view.granularity,
    metric: view.metric,
    by: view.by,
    zone,
    ...view.only,
  }
}

const figureMetric = { quota: 'spend', cost: 'cost', margin: 'margin', count: 'calls', tokens: 'tokens' } as const
const figureDimension = { model: 'model', token: 'key', group: 'group', user: 'user', channel: 'channel' } as const

/** The same question for the page of figures. */
export const figureLinkOf = ({ metric, by, range, only }: DashboardView): FigureLink => ({
  metric: figureMetric[metric],
  by: figureDimension[by],
  range,
  filters: narrowings.flatMap((name) => {
    const value = only[name]
    return value === undefined ? [] : [{ dimension: figureDimension[name], is: 'is' as const, values: [value] }]
  }),
})
