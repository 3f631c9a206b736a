import type { Granularity, getUsageReport, QueryOf, UsageDimension, UsageReport, UsageTotals } from '@tollgate/contract'
import type { Database } from '../../db/database.ts'
import { AppError } from '../../lib/app-error.ts'
import { type Clock, unixSeconds } from '../../lib/clock.ts'
import {
  dayTableOf,
  noTotal,
  splitForPeople,
  splitRange,
  sumUsage,
  type UsageFilter,
  type UsageSpan,
  type UsageTotal,
} from '../../reports/usage/usage.ts'
import { bucketsOf, knownZone, longestZoned, pieceSeconds, piecesOf } from '../../reports/usage/usage-buckets.ts'
import type { Point, UsagePiece } from '../../reports/usage/usage-pieces.ts'
import type { DashboardStore, Share } from './store.ts'

export type ReportQuery = Partial<QueryOf<typeof getUsageReport>> &
  Pick<QueryOf<typeof getUsageReport>, 'start_timestamp' | 'end_timestamp' | 'granularity' | 'zone' | 'metric' | 'by'>

interface ReportParts {
  readonly store: DashboardStore
  readonly database: Database
  /** Options DataExportEnabled and DataExportInterval. */
  enabled(): boolean
  refreshMinutes(): number
  userNames(ids: readonly number[]): Promise<ReadonlyMap<number, string>>
  channelNames(ids: readonly number[]): Promise<ReadonlyMap<number, string>>
  /** Present names of keys, and their owners. */
  tokenNames(ids: readonly number[]): Promise<ReadonlyMap<number, { name: string; owner: string }>>
  readonly clock: Clock
}

/** Scope of figures: all users, one user, or some keys of a wallet. */
export type DashboardScope = { readonly all: true } | { readonly userId: number; readonly tokenIds?: readonly number[] }

const hour = 3_600
const day = 86_400
/** A chart has a few hundred points at most. */
const longestHourly = 14 * day
const longestDaily = 400 * day
const longestRange = 10 * 366 * day
const named = 10
const listed = 50

const granularityFor = (granularity: Granularity, seconds: number): Granularity => {
  if (granularity === 'hour' && seconds <= longestHourly) return 'hour'
  return granularity !== 'week' && seconds <= longestDaily ? 'day' : 'week'
}

const rangeOf = ({ start_timestamp, end_timestamp }: ReportQuery, now: number): { from: number; to: number } => {
  const end = Math.min(end_timestamp || now, now + hour)
  const from = Math.max(start_timestamp, end - longestRange)
  if (from > end) throw new AppError('invalid_parameter')
  return { from: from - (from % hour), to: Math.ceil((end + 1) / hour) * hour }
}

/** Usage over time and per user, model, channel or key, from sums alone: logs may have been cleared. */
export const createUsageReport = (parts: ReportParts) => {
  const { store, database, clock } = parts

  const totalBefore = (filter: UsageFilter, from: number, to: number): Promise<UsageTotal> =>
    sumUsage(database, filter, splitRange({ from, to: to - 1 }, dayTableOf(filter)).spans)

  const namesOf = async (by: UsageDimension, shares: readonly Share[], { all }: { all: boolean }) => {
    const ids = shares.map(({ key }) => Number(key)).filter((id) => id > 0)
    if (by === 'user' || by === 'channel') {
      const names = await (by === 'user' ? parts.userNames(ids) : parts.channelNames(ids))
      return (share: Share) => ({ key: share.key, name: names.get(Number(share.key)) ?? '' })
    }
    if (by !== 'token') return (share: Share) => ({ key: share.key, name: share.key })
    const names = await parts.tokenNames(ids)
    return (share: Share) => {
      const user = names.get(Number(share.key))
      return { key: share.key, name: user?.name ?? share.label, ...(all && user ? { owner: user.owner } : {}) }
    }
  }

  return async (scope: DashboardScope, query: ReportQuery): Promise<UsageReport> => {
    if (!parts.enabled()) throw new AppError('dashboard_off')
    const { from, to } = rangeOf(query, unixSeconds(clock))
    const filter: UsageFilter = {
      userId: 'userId' in scope ? scope.userId : query.user,
      tokenId: query.token,
      tokenIds: 'userId' in scope ? scope.tokenIds : undefined,
      channel: 'userId' in scope ? undefined : query.channel,
      group: query.group,
      exactModel: query.model,
    }
    const granularity = granularityFor(query.granularity, to - from)
    const { by } = query
    const utcDays = to - from > longestZoned
    const range = { from, to: to - 1 }
    const personal = by === 'user' || by === 'token'
    const hours: readonly UsageSpan[] = [{ table: 'usage_hours', from, to }]
    const days = splitRange(range, dayTableOf(filter)).spans
    const daysBy = personal ? splitRange(range, 'usage_days').spans : days
    const sumsBy = personal ? splitForPeople(range, filter) : days
    const buckets = bucketsOf(pieceSeconds[granularity], utcDays ? 'UTC' : knownZone(query.zone), from, to)
    const [shares, before] = await Promise.all([
      store.shares({ filter, by, spans: sumsBy }, query.metric, listed + 1),
      totalBefore(filter, Math.max(0, from - (to - from)), from),
    ])
    const top = shares.slice(0, named)
    const points = await store.points({ filter, by, spans: utcDays ? daysBy : hours }, top, buckets)
    // Last, so that everything is never less than its parts, whatever is charged meanwhile.
    const pieces = await store.pieces({ filter, spans: utcDays ? days : hours }, buckets)
    const nameOf = await namesOf(by, shares, { all: 'all' in scope })
    const times = piecesOf(buckets, from, to)
    const totals = pieces.reduce(plus, noTotal)
    const forOperator = 'all' in scope
    return {
      from,
      to,
      granularity,
      utc_days: utcDays,
      buckets: times.map(({ at }) => at),
      series: seriesOf(
        top,
        { points, pieces },
        times.map(({ local }) => local),
      ).map(({ share, cost, margin, ...figures }) => ({
        ...(share === undefined ? theRest : { ...nameOf(share), rest: false }),
        ...figures,
        ...(forOperator ? { cost, margin } : {}),
      })),
      top: listOf(shares, totals).map((row) => ({
        ...(row.share === undefined ? theRest : { ...nameOf(row.share), rest: false }),
        ...figuresOf(row),
        ...(forOperator ? costsOf(row) : {}),
      })),
      totals: { ...shownTotal(totals), ...(forOperator ? costsOf(totals) : {}) },
      before: { ...shownTotal(before), ...(forOperator ? costsOf(before) : {}) },
      refresh_minutes: parts.refreshMinutes(),
    }
  }
}

const theRest = { key: 'rest', name: '', rest: true } as const

const combined =
  (combine: (left: number, right: number) => number) =>
  (left: UsageTotal, right: UsageTotal): UsageTotal => ({
    count: combine(left.count, right.count),
    quota: combine(left.quota, right.quota),
    promptTokens: combine(left.promptTokens, right.promptTokens),
    completionTokens: combine(left.completionTokens, right.completionTokens),
    failures: combine(left.failures, right.failures),
    cost: combine(left.cost, right.cost),
    costedCount: combine(left.costedCount, right.costedCount),
    costedQuota: combine(left.costedQuota, right.costedQuota),
  })
const plus = combined((left, right) => left + right)
const minus = combined((left, right) => left - right)

const shownTotal = ({ count, quota, promptTokens, completionTokens, failures }: UsageTotal): UsageTotals => ({
  quota,
  count,
  prompt_tokens: promptTokens,
  completion_tokens: completionTokens,
  failures,
})

/** Only for operators. Calls of unknown cost are in neither cost nor margin. */
const costsOf = ({ count, quota, cost, costedCount, costedQuota }: UsageTotal) => ({
  cost,
  margin: costedQuota - cost,
  uncosted: count - costedCount,
  uncosted_quota: quota - costedQuota,
})

interface Series {
  readonly share: Share | undefined
  readonly quota: number[]
  readonly count: number[]
  readonly tokens: number[]
  readonly cost: number[]
  readonly margin: number[]
}

const tokensOf = ({ promptTokens, completionTokens }: UsageTotal): number => promptTokens + completionTokens

/** A line for each of the largest, and one for everything else where there is anything else. */
const seriesOf = (
  top: readonly Share[],
  { points, pieces }: { points: readonly Point[]; pieces: readonly UsagePiece[] },
  places: readonly number[],
): Series[] => {
  const line = (share: Share | undefined, of: ReadonlyMap<number, UsageTotal>): Series => {
    const sums = places.map((local) => of.get(local) ?? noTotal)
    return {
      share,
      quota: sums.map(({ quota }) => quota),
      count: sums.map(({ count }) => count),
      tokens: sums.map(tokensOf),
      cost: sums.map(({ cost }) => cost),
      margin: sums.map(({ cost, costedQuota }) => costedQuota - cost),
    }
  }
  const byKey = Map.groupBy(points, ({ key }) => key)
  const rest = new Map<number, UsageTotal>(pieces.map((piece) => [piece.local, piece]))
  for (const point of points) rest.set(point.local, minus(rest.get(point.local) ?? noTotal, point))
  const lines = top.map((share) => line(share, new Map(byKey.get(share.key)?.map((point) => [point.local, point]))))
  const more = [...rest.values()].some(({ count, quota, cost }) => count > 0 || quota !== 0 || cost !== 0)
  return more ? [...lines, line(undefined, rest)] : lines
}

interface Row extends UsageTotal {
  readonly share: Share | undefined
}

const figuresOf = (row: Row) => ({ quota: row.quota, count: row.count, tokens: tokensOf(row), failures: row.failures })

const listOf = (shares: readonly Share[], totals: UsageTotal): Row[] => {
  const rows = shares.slice(0, listed).map((share): Row => ({ share, ...share }))
  return shares.length <= listed ? rows : [...rows, { share: undefined, ...rows.reduce(minus, totals) }]
}
