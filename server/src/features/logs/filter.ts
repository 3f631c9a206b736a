import { anyProvisional, type logEnds } from '@tollgate/contract'
import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import type { Engine } from '../../db/database.ts'
import { containsText, groupedAnew } from '../../db/dialect.ts'
import type { Tables } from '../../db/schema.ts'
import { negating, textFits } from '../../db/search.ts'
import type { UsagePart } from '../../reports/usage/usage.ts'

export type LogEnd = (typeof logEnds)[number]

/** Which rows are meant; empty and absent parts do not filter. Times in unix seconds. */
export interface LogFilter {
  readonly userId?: number | undefined
  readonly type?: number | undefined
  readonly from?: number | undefined
  readonly to?: number | undefined
  readonly tokenName: string
  readonly tokenId?: number | undefined
  /** Any of these keys; none of them is no row. */
  readonly tokenIds?: readonly number[] | undefined
  /** A part of the name, or a pattern when it holds `%`. */
  readonly model: string
  readonly channel?: number | undefined
  readonly group: string
  readonly requestId: string
  /** The session that calls belong to; absent or empty for any. */
  readonly session?: string | undefined
  /** A cost tag, `name=value`, or `name` for any value; absent or empty for any. No index knows it. */
  readonly tag?: string | undefined
  /** The whole id of a customer of the caller; absent or empty for any. */
  readonly endUser?: string | undefined
  /** Calls that were charged provisionally: `any`, or for one kind, as `declaredKey` names it; absent or empty for all calls. */
  readonly provisional?: string | undefined
  /** The provider's own id of a call; absent or empty for any. */
  readonly providerRequestId?: string | undefined
  /** The id by which the provider's answer calls itself; absent or empty for any. */
  readonly answerId?: string | undefined
  /** How calls ended; empty for any way. No index knows it: a range or a user bounds the search. */
  readonly end?: LogEnd | '' | undefined
  /** The program that made calls, whatever the case; absent or empty for any. No index knows it. */
  readonly client?: string | undefined
  /** Calls that cost at least so many quota units; absent or 0 for any. No index knows it. */
  readonly minQuota?: number | undefined
  /** Parts that leave out what they name. */
  readonly not?: readonly UsagePart[] | undefined
}

/** True if any part leaves out what it names. */
export const isTurned = ({ not = [] }: LogFilter): boolean => not.length > 0

/** A row's place in the list, newest first. */
export interface LogCursor {
  readonly createdAt: number
  readonly id: number
}

type Where = ExpressionBuilder<Tables, 'logs'>
export type LogColumn =
  | 'user_id'
  | 'type'
  | 'token_name'
  | 'token_id'
  | 'model_name'
  | 'channel_id'
  | 'group'
  | 'request_id'
  | 'provider_request_id'
  | 'answer_id'
  | 'session'
  | 'end_user'
  | 'provisional'

/** The columns whose index a query goes along: those that say most first, and the type only where nothing says more. */
export const leadersOf = (filter: LogFilter): readonly LogColumn[] => {
  const names = (part: UsagePart): boolean => !filter.not?.includes(part)
  if (filter.requestId) return ['request_id']
  if (filter.providerRequestId) return ['provider_request_id']
  if (filter.answerId) return ['answer_id']
  if (filter.session) return ['session']
  if (filter.endUser) return ['end_user']
  if (filter.provisional) return ['provisional']
  if (filter.userId !== undefined && names('username')) return ['user_id', 'type']
  if (filter.tokenName && names('token_name')) return ['token_name']
  if (filter.model && names('model_name')) return ['model_name']
  return filter.channel && names('channel') ? ['channel_id'] : ['type']
}

/** A kind as `declaredKey` writes it: neither kind nor place has spaces. */
const kindPattern = /^(\S+) (\S+) (.+)$/s

/** The receipt within `other` names the kind; a text that is none is in no receipt. */
const reasonIn = (provisional: string): Expression<SqlBool>[] => {
  if (provisional === anyProvisional) return []
  const [, kind, place, name] = kindPattern.exec(provisional) ?? []
  if (kind === undefined) return [sql<SqlBool>`1 = 0`]
  const printed = JSON.stringify({ kind, place, name })
  return [containsText('other', printed.slice(1, -1))]
}

/** True if no index knows a part of the filter, so that its newest rows are looked through along its leaders. */
const isLookedThrough = ({ tag, end, client, minQuota, provisional }: LogFilter): boolean =>
  Boolean(tag || end || client || minQuota || (provisional && provisional !== anyProvisional))

/**
 * SQLite takes any index that fits as long as it does not know how many rows share a value, and what it learns from a
 * sample misleads it; a plus before a column keeps it from that column's index. The servers know better, but where rows are
 * looked through, MariaDB goes along another column past their oldest one.
 */
const conditionOn = (eb: Where, filter: LogFilter, engine: Engine, looks = isLookedThrough(filter)) => {
  const leaders = leadersOf(filter)
  return (column: LogColumn, value: string | number): Expression<SqlBool> => {
    if (leaders.includes(column)) return eb(column, '=', value)
    if (engine === 'sqlite') return sql<SqlBool>`+${sql.ref(column)} = ${value}`
    return engine === 'mysql' && looks ? eb(groupedAnew(engine, column), '=', value) : eb(column, '=', value)
  }
}

/**
 * SQLite takes a range with one end for a quarter of the table, and rather reads all of it than the index. So there are
 * two ends or none.
 */
const rangeOf = ({ from, to }: LogFilter, engine: Engine): { from?: number | undefined; to?: number | undefined } =>
  engine === 'sqlite' && (from || to) ? { from: from || 1, to: to || Number.MAX_SAFE_INTEGER } : { from, to }

/**
 * Everything but the model, which each query looks up in its own way.
 * @param looks whether rows are looked through for what no index knows
 */
export const fitsBesideModel = (filter: LogFilter, engine: Engine, looks?: boolean) => (eb: Where) => {
  const is = conditionOn(eb, filter, engine, looks)
  const kept = negating(filter.not ?? [])
  const { from, to } = rangeOf(filter, engine)
  return eb.and([
    ...(filter.userId === undefined ? [] : [kept('username', is('user_id', filter.userId))]),
    ...(filter.type ? [is('type', filter.type)] : []),
    ...(from ? [eb('created_at', '>=', from)] : []),
    ...(to ? [eb('created_at', '<=', to)] : []),
    ...(filter.tokenName ? [kept('token_name', is('token_name', filter.tokenName))] : []),
    ...(filter.tokenId === undefined ? [] : [is('token_id', filter.tokenId)]),
    ...(filter.tokenIds === undefined
      ? []
      : [eb('token_id', 'in', filter.tokenIds.length === 0 ? [-1] : [...filter.tokenIds])]),
    ...(filter.channel ? [kept('channel', is('channel_id', filter.channel))] : []),
    ...(filter.group ? [kept('group', is('group', filter.group))] : []),
    ...(filter.requestId ? [is('request_id', filter.requestId)] : []),
    ...(filter.providerRequestId ? [is('provider_request_id', filter.providerRequestId)] : []),
    ...(filter.answerId ? [is('answer_id', filter.answerId)] : []),
    ...(filter.session ? [is('session', filter.session)] : []),
    ...(filter.endUser ? [is('end_user', filter.endUser)] : []),
    ...(filter.provisional ? [is('provisional', 1), ...reasonIn(filter.provisional)] : []),
    ...(filter.tag ? [containsText('tags', filter.tag.includes('=') ? `;${filter.tag};` : `;${filter.tag}=`)] : []),
    ...(filter.end ? [eb('other', 'like', `%"end":"${filter.end}"%`)] : []),
    ...(filter.minQuota ? [eb('quota', '>=', filter.minQuota)] : []),
    ...(filter.client ? [containsText('other', `"client":${JSON.stringify(filter.client)}`)] : []),
  ])
}

/** The same with an exact model. */
export const fitsWithModel = (filter: LogFilter, model: string, engine: Engine, looks?: boolean) => (eb: Where) =>
  eb.and([fitsBesideModel(filter, engine, looks)(eb), conditionOn(eb, filter, engine, looks)('model_name', model)])

/** The condition on the log table. */
export const fits = (filter: LogFilter, engine: Engine) => (eb: Where) =>
  filter.model
    ? eb.and([
        fitsBesideModel(filter, engine)(eb),
        negating(filter.not ?? [])('model_name', textFits('model_name', filter.model)),
      ])
    : fitsBesideModel(filter, engine)(eb)

/** True for rows that come after `place` in the list. Written so that every engine begins at it in its index. */
export const isAfter =
  ({ createdAt, id }: LogCursor) =>
  (eb: Where): Expression<SqlBool> =>
    eb.and([eb('created_at', '<=', createdAt), eb.or([eb('created_at', '<', createdAt), eb('id', '<', id)])])

/** How many parts besides the time a filter has: each further one costs a look at the rows themselves. */
export const partsOf = (filter: LogFilter): number =>
  [
    filter.userId !== undefined,
    filter.type,
    filter.tokenName,
    filter.tokenId,
    filter.tokenIds,
    filter.model,
    filter.channel,
    filter.group,
    filter.requestId,
    filter.providerRequestId,
    filter.answerId,
    filter.session,
    filter.endUser,
    filter.provisional,
    filter.tag,
    filter.end,
    filter.client,
    filter.minQuota,
  ].filter(Boolean).length
