import {
  type FigureDimension,
  type FigureReport,
  type FigureRow,
  figureMetrics,
  type getFigures,
  type QueryOf,
} from '@tollgate/contract'
import type { Database } from '../../db/database.ts'
import { AppError } from '../../lib/app-error.ts'
import { type Clock, unixSeconds } from '../../lib/clock.ts'
import {
  type CallFigures,
  cacheShare,
  callsOf,
  firstWithin,
  noFigures,
  plusFigures,
} from '../../reports/figures/figures.ts'
import { type FigureCell, type FigureQuestion, readFigures } from '../../reports/figures/read-figures.ts'
import { metrics } from './metrics.ts'
import { type NameParts, readNames } from './names.ts'
import { checkRights, type FigureScope, filtersOf } from './scope.ts'
import { before, rangeOf, rollupFor, type Timeline, timelineOf } from './time.ts'

export type FigureQuery = QueryOf<typeof getFigures>

interface ReportParts extends NameParts {
  readonly database: Database
  /** Options DataExportEnabled and DataExportInterval. */
  enabled(): boolean
  refreshMinutes(): number
  readonly clock: Clock
}

/** Values that are counted for "Other"; beyond it their number is not known. */
const mostValues = 200
const mostPairs = 400
const childrenShown = 8

type Common = Pick<FigureQuestion, 'from' | 'to' | 'filters'>

/** Everything that an answer needs of one stretch of time. */
interface Read {
  readonly total: CallFigures
  /** Of the chosen values, and of pairs that begin with them. */
  readonly values: readonly FigureCell[]
  readonly pairs: readonly FigureCell[]
  readonly points: readonly FigureCell[]
  readonly sums: readonly FigureCell[]
}

/** Any figure of calls by one or two dimensions, over time, from hourly and daily sums: logs may have been cleared. */
export const createFigureReport = (parts: ReportParts) => {
  const read = (question: FigureQuestion) => readFigures(parts.database, question)

  const readAll = async (
    query: FigureQuery,
    common: Common,
    { only, timeline, now }: { readonly only: readonly string[]; readonly timeline: Timeline; readonly now: boolean },
  ): Promise<Read> => {
    const { speed = false, order } = metrics[query.metric]
    const { by, second } = query
    const cut = { buckets: timeline.buckets, utcDays: timeline.utcDays, speed }
    const beside = speed || (now && query.speed === 'all')
    // Without histograms of their own, wholes are the sums of their pieces.
    const ofPieces = beside === speed
    const pairsBy: readonly FigureDimension[] = second === undefined ? [] : [by, second]
    const none: readonly FigureCell[] = []
    const [values, pairs, points] = await Promise.all([
      only.length === 0 || (ofPieces && now) ? none : read({ ...common, by: [by], only, speed: beside }),
      only.length === 0 || second === undefined || second === by
        ? none
        : read({ ...common, by: pairsBy, only, speed: beside, most: { count: mostPairs, by: order } }),
      only.length === 0 || !now ? none : read({ ...common, by: [by], only, ...cut }),
    ])
    // Last, so that everything is never less than its parts, whatever is charged meanwhile.
    const [sums, [whole]] = await Promise.all([
      read({ ...common, by: [], ...cut }),
      ofPieces ? none : read({ ...common, by: [], speed: beside }),
    ])
    const total = ofPieces ? together(sums) : (whole ?? noFigures())
    return { total, values: ofPieces && now ? wholesOf(points) : values, pairs, points, sums }
  }

  return async (scope: FigureScope, query: FigureQuery): Promise<FigureReport> => {
    if (!parts.enabled()) throw new AppError('dashboard_off')
    const dimensions = [query.by, ...(query.second === undefined ? [] : [query.second])]
    checkRights(scope, query, dimensions)
    const range = rangeOf(query.start_timestamp, query.end_timestamp, unixSeconds(parts.clock))
    const rollup = rollupFor(query.rollup, range)
    const timeline = timelineOf(rollup, range, query.zone)
    const filters = filtersOf(scope, query.filters)
    const { order } = metrics[query.metric]
    const found = await read({ ...range, filters, by: [query.by], most: { count: mostValues + 1, by: order } })
    const only = found.slice(0, query.top).map(({ keys }) => keys[0] ?? '')
    const compared = query.compare === 'before'
    const [now, earlier] = await Promise.all([
      readAll(query, { ...range, filters }, { only, timeline, now: true }),
      compared ? readBefore(query, { ...before(range, rollup), filters }, only) : undefined,
    ])
    const nameOf = await readNames(parts, query, [...found.slice(0, query.top), ...now.pairs], 'all' in scope)
    const restValues = Math.max(0, Math.min(found.length, mostValues) - only.length)
    return {
      ...range,
      rollup,
      utc_days: timeline.utcDays,
      buckets: [...timeline.starts],
      ...seriesOf(query, only, { now, timeline }, nameOf),
      sums: valuesOver(query, now.sums, timeline),
      ...(earlier && { sums_before: earlier.values }),
      rows: rowsOf(query, only, { now, earlier: earlier?.read }, nameOf),
      rest_values: restValues,
      more: found.length > mostValues,
      total: figuresOf(query, now.total, earlier?.read.total, now.total),
      refresh_minutes: parts.refreshMinutes(),
    }
  }

  async function readBefore(query: FigureQuery, common: Common, only: readonly string[]) {
    const timeline = timelineOf(rollupFor(query.rollup, common), common, query.zone)
    const found = await readAll(query, common, { only, timeline, now: false })
    return { read: found, values: valuesOver(query, found.sums, timeline) }
  }
}

const together = (cells: readonly CallFigures[]): CallFigures =>
  cells.reduce<CallFigures>((sum, cell) => plusFigures(sum, cell), noFigures())

/** The pieces of each value added up, under the last of its names. */
const wholesOf = (points: readonly FigureCell[]): FigureCell[] =>
  [...Map.groupBy(points, ({ keys }) => keys[0] ?? '').values()].flatMap((pieces) => {
    const [first] = pieces
    if (first === undefined) return []
    const label =
      pieces
        .map((piece) => piece.label)
        .toSorted()
        .at(-1) ?? ''
    return [{ ...first, ...together(pieces), local: 0, label }]
  })

type NameOf = Awaited<ReturnType<typeof readNames>>

/** True if one call counts for several values, so that there is no rest beside them. */
const overlaps = (dimension: FigureDimension): boolean => dimension === 'tag'

const theRest = { key: 'rest', name: '', rest: true } as const

/** Whole numbers stay whole; others keep what people can tell apart. */
const rounded = (value: number | undefined): number | null =>
  value === undefined ? null : Number.isInteger(value) ? value : Number(value.toPrecision(6))

const metricOf = ({ metric }: FigureQuery, figures: CallFigures): number | null => rounded(metrics[metric].of(figures))

const overTime = (cells: readonly FigureCell[], { starts, pointOf }: Timeline): CallFigures[] => {
  const points = starts.map(noFigures)
  for (const cell of cells) {
    const at = pointOf(cell.local)
    const point = points[at]
    if (point !== undefined) points[at] = plusFigures(point, cell)
  }
  return points
}

const valuesOver = (query: FigureQuery, cells: readonly FigureCell[], timeline: Timeline): (number | null)[] =>
  overTime(cells, timeline).map((figures) => metricOf(query, figures))

/** A line for each of the largest, and one for everything else where there is anything else. */
const seriesOf = (
  query: FigureQuery,
  only: readonly string[],
  { now, timeline }: { readonly now: Read; readonly timeline: Timeline },
  nameOf: NameOf,
) => {
  const byKey = Map.groupBy(now.points, ({ keys }) => keys[0] ?? '')
  let rest = overTime(now.sums, timeline)
  const series: FigureReport['series'] = only.map((key) => {
    const line = overTime(byKey.get(key) ?? [], timeline)
    rest = rest.map((point, index) => plusFigures(point, line[index] ?? noFigures(), -1))
    return { ...nameOf(query.by, key), rest: false, values: line.map((figures) => metricOf(query, figures)) }
  })
  const more = !overlaps(query.by) && rest.some((figures) => callsOf(figures) > 0 || figures.sums.quota !== 0)
  if (more) series.push({ ...theRest, values: rest.map((figures) => metricOf(query, figures)) })
  return { series }
}

const figuresOf = (query: FigureQuery, figures: CallFigures, earlier: CallFigures | undefined, whole: CallFigures) => {
  const value = metricOf(query, figures)
  const all = metricOf(query, whole)
  return {
    value,
    before: earlier === undefined ? null : metricOf(query, earlier),
    share: figureMetrics[query.metric].adds && value !== null && all ? value / all : null,
    calls: callsOf(figures),
    cache_share: rounded(cacheShare(figures)),
    first_p95: rounded(firstWithin(figures, 0.95)),
  }
}

interface Named {
  readonly key: string
  readonly now: CallFigures
  readonly earlier: CallFigures | undefined
}

/** Some values, and what is left of their whole; `dimension` is what they are of. */
const listOf = (
  query: FigureQuery,
  dimension: FigureDimension,
  values: readonly Named[],
  {
    parent,
    whole,
    nameOf,
  }: {
    readonly parent: { readonly now: CallFigures; readonly earlier: CallFigures | undefined }
    readonly whole: CallFigures
    readonly nameOf: NameOf
  },
): FigureRow[] => {
  const rows = values.map(({ key, now, earlier }) => ({
    ...nameOf(dimension, key),
    ...figuresOf(query, now, earlier, whole),
    rest: false,
  }))
  let [rest, restBefore] = [parent.now, parent.earlier]
  for (const { now, earlier } of values) {
    rest = plusFigures(rest, now, -1)
    if (restBefore !== undefined) restBefore = plusFigures(restBefore, earlier ?? noFigures(), -1)
  }
  if (!overlaps(dimension) && (callsOf(rest) > 0 || rest.sums.quota !== 0))
    rows.push({ ...theRest, ...figuresOf(query, rest, restBefore, whole) })
  return rows
}

const rowsOf = (
  query: FigureQuery,
  only: readonly string[],
  { now, earlier }: { readonly now: Read; readonly earlier: Read | undefined },
  nameOf: NameOf,
): FigureReport['rows'] => {
  const cellOf = (cells: readonly FigureCell[], ...keys: readonly string[]): CallFigures =>
    cells.find((cell) => cell.keys.every((key, index) => key === keys[index])) ?? noFigures()
  const named = (key: string): Named => ({
    key,
    now: cellOf(now.values, key),
    earlier: earlier && cellOf(earlier.values, key),
  })
  const values = only.map(named)
  const { by, second } = query
  const whole = { now: now.total, earlier: earlier?.total }
  return listOf(query, by, values, { parent: whole, whole: now.total, nameOf }).map((row, index) => {
    const value = values[index]
    if (value === undefined || second === undefined || second === by) return { ...row, rows: [] }
    const children = now.pairs
      .filter(({ keys }) => keys[0] === value.key)
      .slice(0, childrenShown)
      .map((cell): Named => {
        const key = cell.keys[1] ?? ''
        return { key, now: cell, earlier: earlier && cellOf(earlier.pairs, value.key, key) }
      })
    return { ...row, rows: listOf(query, second, children, { parent: value, whole: now.total, nameOf }) }
  })
}
