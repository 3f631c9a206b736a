import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import type { Database } from '../../db/database.ts'
import type { Tables } from '../../db/schema.ts'
import { negating, textFits } from '../../db/search.ts'
import { usagePeriod } from '../../ledger/usage/usage-of.ts'

/** Which charges are meant; empty and absent parts do not filter. */
export interface UsageFilter {
  readonly userId?: number | undefined
  readonly tokenId?: number | undefined
  /** One of these keys: none where it is empty. */
  readonly tokenIds?: readonly number[] | undefined
  readonly tokenName?: string | undefined
  readonly channel?: number | undefined
  readonly group?: string | undefined
  /** A part of the name, or a pattern when it holds `%`. */
  readonly model?: string | undefined
  /** The whole name. */
  readonly exactModel?: string | undefined
  /** Parts that leave out what they name. */
  readonly not?: readonly UsagePart[] | undefined
}

/** The parts of a filter that can be turned round, by the names that the log has for them. */
export type UsagePart = 'username' | 'token_name' | 'channel' | 'group' | 'model_name'

/** `usage_site_days` knows neither users nor keys, `usage_user_periods` nothing else; that one sums 28 days. */
export type UsageTable = 'usage_hours' | 'usage_days' | 'usage_site_days' | 'usage_user_periods'

/** The daily sums that know what a filter asks for. */
export const dayTableOf = ({ userId, tokenId, tokenIds, tokenName }: UsageFilter): 'usage_days' | 'usage_site_days' =>
  userId === undefined && tokenId === undefined && tokenIds === undefined && !tokenName
    ? 'usage_site_days'
    : 'usage_days'

/** True if 28 days of users and keys know what a filter asks for. */
const periodsKnow = ({ channel, group, model, exactModel }: UsageFilter): boolean =>
  !(channel || group || model || exactModel)

/** Rows of one table of sums, `from` included, `to` not. */
export interface UsageSpan {
  readonly table: UsageTable
  readonly from: number
  readonly to: number
}

/** Unix seconds, both ends included. */
export interface Seconds {
  readonly from: number
  readonly to: number
}

/** Whole days and hours of a range, and the rest at its edges. */
export interface SplitRange {
  readonly spans: readonly UsageSpan[]
  readonly edges: readonly Seconds[]
}

export interface UsageTotal {
  readonly count: number
  readonly quota: number
  readonly promptTokens: number
  readonly completionTokens: number
  /** Failed calls that were logged. */
  readonly failures: number
  /** Cost in quota units of calls with a known cost, their number, and their charges. For operators only. */
  readonly cost: number
  readonly costedCount: number
  readonly costedQuota: number
}

export const noTotal: UsageTotal = {
  count: 0,
  quota: 0,
  promptTokens: 0,
  completionTokens: 0,
  failures: 0,
  cost: 0,
  costedCount: 0,
  costedQuota: 0,
}

const hour = 3_600
const day = 86_400

const up = (seconds: number, unit: number): number => Math.ceil(seconds / unit) * unit
const down = (seconds: number, unit: number): number => Math.floor(seconds / unit) * unit

/** Splits a range into as few sums as possible: days (UTC) in the middle, hours around them, seconds at the edges. */
export const splitRange = ({ from, to }: Seconds, dayTable: 'usage_days' | 'usage_site_days'): SplitRange => {
  const firstHour = up(from, hour)
  const endHour = down(to + 1, hour)
  if (firstHour >= endHour) return { spans: [], edges: from <= to ? [{ from, to }] : [] }
  const firstDay = up(firstHour, day)
  const endDay = down(endHour, day)
  const hours = (start: number, end: number): UsageSpan => ({ table: 'usage_hours', from: start, to: end })
  const spans =
    firstDay < endDay
      ? [hours(firstHour, firstDay), { table: dayTable, from: firstDay, to: endDay }, hours(endDay, endHour)]
      : [hours(firstHour, endHour)]
  const edges = [
    { from, to: firstHour - 1 },
    { from: endHour, to },
  ]
  return { spans: spans.filter((span) => span.from < span.to), edges: edges.filter((edge) => edge.from <= edge.to) }
}

/** The same by user or key, without single days: whole periods of 28 days in the middle, where the filter allows. */
export const splitForPeople = (range: Seconds, filter: UsageFilter): readonly UsageSpan[] => {
  const { spans } = splitRange(range, 'usage_days')
  return periodsKnow(filter) ? spans.flatMap(withPeriods) : spans
}

const withPeriods = (span: UsageSpan): readonly UsageSpan[] => {
  const from = up(span.from, usagePeriod)
  const to = down(span.to, usagePeriod)
  if (span.table !== 'usage_days' || from >= to) return [span]
  const parts: readonly UsageSpan[] = [
    { ...span, to: from },
    { table: 'usage_user_periods', from, to },
    { ...span, from: to },
  ]
  return parts.filter((part) => part.from < part.to)
}

/** No key has this id; a list in SQL is never empty. */
const none = -1

type Where = ExpressionBuilder<Tables, 'usage_hours'>

/** The condition on a table of sums. */
export const usageFits =
  (filter: UsageFilter, { from, to }: Pick<UsageSpan, 'from' | 'to'>) =>
  (eb: Where): Expression<SqlBool> => {
    const kept = negating(filter.not ?? [])
    return eb.and([
      eb('created_at', '>=', from),
      eb('created_at', '<', to),
      ...(filter.userId === undefined ? [] : [kept('username', eb('user_id', '=', filter.userId))]),
      ...(filter.tokenId === undefined ? [] : [eb('token_id', '=', filter.tokenId)]),
      ...(filter.tokenIds === undefined ? [] : [eb('token_id', 'in', [none, ...filter.tokenIds])]),
      ...(filter.tokenName ? [kept('token_name', eb('token_name', '=', filter.tokenName))] : []),
      ...(filter.channel ? [kept('channel', eb('channel_id', '=', filter.channel))] : []),
      ...(filter.group ? [kept('group', eb('group', '=', filter.group))] : []),
      ...(filter.exactModel ? [eb('model_name', '=', filter.exactModel)] : []),
      ...(filter.model ? [kept('model_name', textFits('model_name', filter.model))] : []),
    ])
  }

/** When the sums begin: the first hour that has any; undefined while there are none. */
export const usageBegins = async ({ query }: Database): Promise<number | undefined> => {
  const first = query.selectFrom('usage_hours').select('created_at').orderBy('created_at').limit(1)
  return (await first.executeTakeFirst())?.created_at
}

/** Charges in the spans. */
export const sumUsage = async (
  { query }: Database,
  filter: UsageFilter,
  spans: readonly UsageSpan[],
): Promise<UsageTotal> => {
  const sums = await Promise.all(
    spans.map((span) =>
      query
        // Both tables have the same columns.
        .selectFrom(span.table as 'usage_hours')
        .where(usageFits(filter, span))
        .select(({ fn }) => [
          fn.sum('count').as('count'),
          fn.sum('quota').as('quota'),
          fn.sum('prompt_tokens').as('prompt'),
          fn.sum('completion_tokens').as('completion'),
          fn.sum('failures').as('failures'),
          fn.sum('cost').as('cost'),
          fn.sum('costed_count').as('costedCount'),
          fn.sum('costed_quota').as('costedQuota'),
        ])
        .executeTakeFirstOrThrow(),
    ),
  )
  return sums.reduce<UsageTotal>(
    (total, sum) => ({
      count: total.count + Number(sum.count ?? 0),
      quota: total.quota + Number(sum.quota ?? 0),
      promptTokens: total.promptTokens + Number(sum.prompt ?? 0),
      completionTokens: total.completionTokens + Number(sum.completion ?? 0),
      failures: total.failures + Number(sum.failures ?? 0),
      cost: total.cost + Number(sum.cost ?? 0),
      costedCount: total.costedCount + Number(sum.costedCount ?? 0),
      costedQuota: total.costedQuota + Number(sum.costedQuota ?? 0),
    }),
    noTotal,
  )
}
