import {
  figureDimensionNames,
  figureMetricNames,
  figureMetrics,
  isKnownTogether,
  isOperatorDimension,
  isOperatorMetric,
  isOrganisationDimension,
  rollups,
} from '@tollgate/contract/records/figures'
import { isMostlyRest } from '#web/components/chart/rank-bars.tsx'
import type { FigureCondition, FigureDimension, FigureMetric, FigureReport, Rollup } from '#web/lib/api/contract.ts'
import { type RangeName, readRange } from '#web/lib/time/time-range.ts'
import { startOfDay } from '#web/lib/time/zoned-time.ts'
import { printFilters, readFilters } from '#web/lib/url/figure-link.ts'
import type { Search } from '#web/lib/url/url-state.ts'

/** How a report is drawn. */
export const exploreForms = ['line', 'area', 'bar', 'rank', 'table'] as const
export type ExploreForm = (typeof exploreForms)[number]

/** The question, stored in the address. */
export interface ExploreView {
  readonly metric: FigureMetric
  readonly by: FigureDimension
  readonly second: FigureDimension | undefined
  readonly every: Rollup
  readonly range: string
  readonly filters: readonly FigureCondition[]
  readonly top: number
  readonly compared: boolean
  readonly form: ExploreForm
  /** True where the address names the form. */
  readonly formChosen: boolean
  /** Own figures only; always for users. */
  readonly mine: boolean
  /** Figures of this organisation, as far as the reader may read them; absent elsewhere. */
  readonly organisation?: number
}

/** Parameters of the address that make a board. */
export const boardNames = ['metric', 'by', 'second', 'every', 'range', 'filter', 'top', 'vs', 'form', 'mine'] as const

export const exploreRanges: readonly RangeName[] = ['24h', '3d', '7d', '30d', 'today', 'yesterday', 'month', 'year']
export const defaultRange: RangeName = '30d'
export const topChoices = [3, 5, 8, 10, 12] as const
const usualTop = 10

const oneOf = <T extends string>(values: readonly T[], text: string | undefined, fallback: T): T =>
  values.find((value) => value === text) ?? fallback

/**
 * Metrics and dimensions that the reader may choose: users get none that are for operators, and team, project and member only within
 * their organisation.
 */
export const choicesFor = ({ mine, organisation }: Pick<ExploreView, 'mine' | 'organisation'>) => ({
  metrics: figureMetricNames.filter((metric) => !mine || !isOperatorMetric(metric)),
  dimensions: figureDimensionNames.filter(
    (dimension) =>
      !mine || (organisation === undefined ? !isOperatorDimension(dimension) : isOrganisationDimension(dimension)),
  ),
})

const hour = 3_600
const day = 86_400

/** Points of a size that fits a range, where the address names none. */
const usualRollup = (range: string): Rollup => {
  const { from, to } = readRange(range, 40 * day, defaultRange, 'UTC')
  const seconds = (to ?? 40 * day) - (from ?? 0)
  if (seconds <= 3 * day + hour) return 'hour'
  return seconds <= 120 * day ? 'day' : 'week'
}

const sizeOf = (range: string): Rollup => (range === 'year' ? 'week' : usualRollup(range))

/** Reads the address; on the page of an organisation the question is about its figures. */
export const readView = (search: Search, isAdmin: boolean, organisation?: number): ExploreView => {
  const mine = organisation !== undefined || !isAdmin || search.mine === '1'
  const scope = { mine, ...(organisation === undefined ? {} : { organisation }) }
  const { metrics, dimensions } = choicesFor(scope)
  const metric = oneOf(metrics, search.metric, 'spend')
  const wantedBy = oneOf(dimensions, search.by, organisation === undefined ? 'model' : 'project')
  // An address may ask for what is not kept together: the metric counts, and what does not go with it is left out.
  const by = isKnownTogether(metric, [wantedBy]) ? wantedBy : 'model'
  const second = dimensions.find(
    (dimension) => dimension === search.second && dimension !== by && isKnownTogether(metric, [by, dimension]),
  )
  const asked = second === undefined ? [by] : [by, second]
  const range = search.range ?? defaultRange
  const top = Number(search.top)
  return {
    metric,
    by,
    second,
    every: oneOf(rollups, search.every, sizeOf(range)),
    range,
    filters: readFilters(search.filter, dimensions).filter(({ dimension }) =>
      isKnownTogether(metric, [...asked, dimension]),
    ),
    top: topChoices.find((choice) => choice === top) ?? usualTop,
    compared: search.vs !== 'none',
    // Sums are bars: a line between sums of days would fall to today's, which are not over. Rates are lines anyway.
    form: oneOf(exploreForms, search.form, 'bar'),
    formChosen: exploreForms.some((form) => form === search.form),
    ...scope,
  }
}

/**
 * Form in which a report is drawn. Without a choice, ranked bars take the place of a stack that would mostly be the rest.
 */
export const formOf = (view: ExploreView, report: FigureReport): ExploreForm => {
  if (view.formChosen || !figureMetrics[view.metric].adds) return view.form
  return isMostlyRest(report.rows.map(({ rest, value }) => ({ rest, value: value ?? 0 }))) ? 'rank' : view.form
}

/** True if a metric or dimension fits the rest of the question, in which it replaces the one of its kind. */
export const goesWith = (
  view: ExploreView,
  change: { metric?: FigureMetric; by?: FigureDimension; second?: FigureDimension; filter?: FigureDimension },
): boolean => {
  const metric = change.metric ?? view.metric
  const dimensions = [change.by ?? view.by, change.second ?? view.second, change.filter]
  const named = dimensions.filter((dimension) => dimension !== undefined)
  return isKnownTogether(metric, [...named, ...view.filters.map(({ dimension }) => dimension)])
}

/** The query of the report; `anchor` in unix seconds. */
export const queryOf = (view: ExploreView, anchor: number, zone: string) => {
  const { from = 0, to = anchor } = readRange(view.range, anchor, defaultRange, zone)
  const days = view.every === 'hour' ? undefined : /^(\d+)d$/.exec(view.range)?.[1]
  return {
    metric: view.metric,
    by: view.by,
    ...(view.second === undefined ? {} : { second: view.second }),
    filters: JSON.stringify(view.filters),
    // Whole days of the reader, of which today is the last.
    start_timestamp: Math.floor(days === undefined ? from : startOfDay(anchor, Number(days) - 1, zone)),
    end_timestamp: Math.floor(to),
    rollup: view.every,
    zone,
    top: view.top,
    compare: view.compared ? ('before' as const) : ('none' as const),
  }
}

/** A filter more, or another value of one that is there; the same filter again leaves it out. */
export const withFilter = (
  filters: readonly FigureCondition[],
  index: number | undefined,
  filter: FigureCondition | undefined,
): string | undefined => {
  const others = filters.filter((_, at) => at !== index)
  return printFilters(
    filter === undefined ? others : index === undefined ? [...others, filter] : filters.with(index, filter),
  )
}
