import type { Granularity, getUsageReport, QueryOf, UsageDimension, UsageReport, UsageTotals } from '@tollgate/contract'
import type { Database } from '../../db/database.ts'
import { dayTableOf, splitRange, sumUsage, type UsageFilter, type UsageSpan } from '../../ledger/usage.ts'
import { AppError } from '../../lib/app-error.ts'
import { type Clock, unixSeconds } from '../../lib/clock.ts'
import { bucketsOf, knownZone, piecesOf } from './buckets.ts'
import type { DashboardStore, Point, Question, Share } from './store.ts'

export type ReportQuery = Partial<QueryOf<typeof getUsageReport>> &
  Pick<QueryOf<typeof getUsageReport>, 'start_timestamp' | 'end_timestamp' | 'granularity' | 'zone' | 'metric' | 'by'>

export interface ReportParts {
  readonly store: DashboardStore
  readonly database: Database
  /** Options DataExportEnabled and DataExportInterval. */
  enabled(): boolean
  refreshMinutes(): number
  userNames(ids: readonly number[]): Promise<ReadonlyMap<number, string>>
  channelNames(ids: readonly number[]): Promise<ReadonlyMap<number, string>>
  /** What keys are called today, and who has them. */
  tokenNames(ids: readonly number[]): Promise<ReadonlyMap<number, { name: string; owner: string }>>
  readonly clock: Clock
}

/** Whose figures: everybody's, or one user's. */
export type Scope = { readonly all: true } | { readonly userId: number }

const hour = 3_600
const day = 86_400
/** A chart has a few hundred points at most. */
const longestHourly = 14 * day
const longestDaily = 400 * day
/** Beyond it days are those of UTC, whose sums are kept; up to it they are those of the reader, summed from hours. */
const longestZoned = 35 * day
const longestRange = 10 * 366 * day
const named = 6
const listed = 50

const granularityFor = (asked: Granularity, seconds: number): Granularity => {
  if (asked === 'hour' && seconds <= longestHourly) return 'hour'
  return asked !== 'week' && seconds <= longestDaily ? 'day' : 'week'
}

const rangeOf = ({ start_timestamp, end_timestamp }: ReportQuery, now: number): { from: number; to: number } => {
  const end = Math.min(end_timestamp || now, now + hour)
  const from = Math.max(start_timestamp, end - longestRange)
  if (from > end) throw new AppError('invalid_parameter')
  return { from: from - (from % hour), to: Math.ceil((end + 1) / hour) * hour }
}

/** What was used over time and by whom or what (console reference D5), from sums alone: logs may have been cleared. */
export const createUsageReport = (parts: ReportParts) => {
  const { store, database, clock } = parts

  const spansOf = (filter: UsageFilter, by: UsageDimension, from: number, to: number): readonly UsageSpan[] => {
    if (to - from <= longestZoned) return [{ table: 'usage_hours', from, to }]
    const personal = by === 'user' || by === 'token'
    return splitRange({ from, to: to - 1 }, personal ? 'usage_days' : dayTableOf(filter)).spans
  }

  const totalsOf = async (filter: UsageFilter, spans: readonly UsageSpan[]): Promise<UsageTotals> => {
    const { count, quota, promptTokens, completionTokens, failures } = await sumUsage(database, filter, spans)
    return { quota, count, prompt_tokens: promptTokens, completion_tokens: completionTokens, failures }
  }

  const namesOf = async (by: UsageDimension, shares: readonly Share[], { all }: { all: boolean }) => {
    const ids = shares.map(({ key }) => Number(key)).filter((id) => id > 0)
    if (by === 'user' || by === 'channel') {
      const names = await (by === 'user' ? parts.userNames(ids) : parts.channelNames(ids))
      return (share: Share) => ({ key: share.key, name: names.get(Number(share.key)) ?? '' })
    }
    if (by !== 'token') return (share: Share) => ({ key: share.key, name: share.key })
    const names = await parts.tokenNames(ids)
    return (share: Share) => {
      const known = names.get(Number(share.key))
      return { key: share.key, name: known?.name ?? share.label, ...(all && known ? { owner: known.owner } : {}) }
    }
  }

  return async (scope: Scope, query: ReportQuery): Promise<UsageReport> => {
    if (!parts.enabled()) throw new AppError('dashboard_off')
    const { from, to } = rangeOf(query, unixSeconds(clock))
    const filter: UsageFilter = {
      userId: 'userId' in scope ? scope.userId : query.user,
      tokenId: query.token,
      channel: 'userId' in scope ? undefined : query.channel,
      group: query.group,
      exactModel: query.model,
    }
    const granularity = granularityFor(query.granularity, to - from)
    const spans = spansOf(filter, query.by, from, to)
    const question: Question = { filter, spans, by: query.by }
    const utcDays = to - from > longestZoned
    const buckets = bucketsOf(granularity, utcDays ? 'UTC' : knownZone(query.zone), from, to)
    const [shares, totals, before] = await Promise.all([
      store.shares(question, query.metric, listed + 1),
      totalsOf(filter, spans),
      totalsOf(filter, spansOf(filter, query.by, Math.max(0, from - (to - from)), from)),
    ])
    const top = shares.slice(0, named)
    const points = await store.points(
      question,
      top.map(({ key }) => key),
      buckets,
    )
    const nameOf = await namesOf(query.by, shares, { all: 'all' in scope })
    const pieces = piecesOf(buckets, from, to)
    return {
      from,
      to,
      granularity,
      utc_days: utcDays,
      buckets: pieces.map(({ at }) => at),
      series: seriesOf(
        top,
        points,
        pieces.map(({ local }) => local),
      ).map(({ share, ...figures }) => ({
        ...(share === undefined ? theRest : { ...nameOf(share), rest: false }),
        ...figures,
      })),
      top: listOf(shares, totals).map(({ share, ...figures }) => ({
        ...(share === undefined ? theRest : { ...nameOf(share), rest: false }),
        ...figures,
      })),
      totals,
      before,
      refresh_minutes: parts.refreshMinutes(),
    }
  }
}

const theRest = { key: 'rest', name: '', rest: true } as const

interface Series {
  readonly share: Share | undefined
  readonly quota: number[]
  readonly count: number[]
  readonly tokens: number[]
}

/** A line for each of the largest, and one for everything else where there is anything else. */
const seriesOf = (top: readonly Share[], points: readonly Point[], places: readonly number[]): Series[] => {
  const placeOf = new Map(places.map((local, index) => [local, index]))
  const zeros = (): number[] => places.map(() => 0)
  const empty = (share: Share | undefined): Series => ({ share, quota: zeros(), count: zeros(), tokens: zeros() })
  const lines = new Map(top.map((share) => [share.key, empty(share)]))
  const rest = empty(undefined)
  for (const { local, key, quota, count, tokens } of points) {
    const index = placeOf.get(local)
    if (index === undefined) continue
    const line = lines.get(key) ?? rest
    line.quota[index] = (line.quota[index] ?? 0) + quota
    line.count[index] = (line.count[index] ?? 0) + count
    line.tokens[index] = (line.tokens[index] ?? 0) + tokens
  }
  const more = rest.count.some((count) => count > 0) || rest.quota.some((quota) => quota !== 0)
  return more ? [...lines.values(), rest] : [...lines.values()]
}

interface Row {
  readonly share: Share | undefined
  readonly quota: number
  readonly count: number
  readonly tokens: number
  readonly failures: number
}

const figuresOf = ({ quota, count, tokens, failures }: Omit<Row, 'share'>) => ({ quota, count, tokens, failures })

const listOf = (shares: readonly Share[], totals: UsageTotals): Row[] => {
  const rows = shares.slice(0, listed).map((share): Row => ({ share, ...figuresOf(share) }))
  if (shares.length <= listed) return rows
  const sum = (figure: 'quota' | 'count' | 'tokens' | 'failures'): number =>
    rows.reduce((total, row) => total + row[figure], 0)
  return [
    ...rows,
    {
      share: undefined,
      quota: totals.quota - sum('quota'),
      count: totals.count - sum('count'),
      tokens: totals.prompt_tokens + totals.completion_tokens - sum('tokens'),
      failures: totals.failures - sum('failures'),
    },
  ]
}
