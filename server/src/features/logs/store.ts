import { logType } from '@tollgate/contract'
import type { Expression, ExpressionBuilder, Selectable, SqlBool } from 'kysely'
import type { Database } from '../../db/database.ts'
import { containsText } from '../../db/dialect.ts'
import type { LogsTable, Tables } from '../../db/schema.ts'
import { fitsPattern } from '../../db/search.ts'

export type LogRow = Selectable<LogsTable>
export type NewLog = Omit<LogRow, 'id'>

/** Which rows are meant; empty and absent parts do not filter. Times in unix seconds. */
export interface LogFilter {
  readonly userId?: number | undefined
  readonly type?: number | undefined
  readonly from?: number | undefined
  readonly to?: number | undefined
  readonly username: string
  readonly tokenName: string
  /** A part of the name, or a pattern when it holds `%`. */
  readonly model: string
  readonly channel?: number | undefined
  readonly group: string
  readonly requestId: string
}

export interface LogSort {
  readonly column: 'id' | 'quota' | 'prompt_tokens' | 'completion_tokens' | 'use_time'
  readonly descending: boolean
}

export interface LogStore {
  find(filter: LogFilter, sort: LogSort | undefined, slice: { offset: number; limit: number }): Promise<LogRow[]>
  /** Counts at most `cap` rows. */
  count(filter: LogFilter, cap: number): Promise<number>
  /** Sum of the charges. */
  quota(filter: LogFilter): Promise<number>
  /** Charged requests and their tokens. */
  load(filter: LogFilter): Promise<{ requests: number; tokens: number }>
  insert(row: NewLog): Promise<void>
}

type Where = ExpressionBuilder<Tables, 'logs'>

const modelFits = (model: string): Expression<SqlBool> =>
  model.includes('%') ? fitsPattern('model_name', model) : containsText('model_name', model)

const fits = (filter: LogFilter) => (eb: Where) =>
  eb.and([
    ...(filter.userId === undefined ? [] : [eb('user_id', '=', filter.userId)]),
    ...(filter.type ? [eb('type', '=', filter.type)] : []),
    ...(filter.from ? [eb('created_at', '>=', filter.from)] : []),
    ...(filter.to ? [eb('created_at', '<=', filter.to)] : []),
    ...(filter.username ? [eb('username', '=', filter.username)] : []),
    ...(filter.tokenName ? [eb('token_name', '=', filter.tokenName)] : []),
    ...(filter.model ? [modelFits(filter.model)] : []),
    ...(filter.channel ? [eb('channel_id', '=', filter.channel)] : []),
    ...(filter.group ? [eb('group', '=', filter.group)] : []),
    ...(filter.requestId ? [eb('request_id', '=', filter.requestId)] : []),
  ])

/** The log table, which may live in a database of its own. Newest first unless sorted, along its indexes. */
export const openLogStore = (database: Database): LogStore => {
  const charges = (filter: LogFilter) =>
    database.query.selectFrom('logs').where(fits({ ...filter, type: logType.consume }))
  return {
    find: (filter, sort, { offset, limit }) => {
      const rows = database.query.selectFrom('logs').selectAll().where(fits(filter))
      const sorted =
        sort === undefined || sort.column === 'id'
          ? rows.orderBy('created_at', direction(sort?.descending ?? true))
          : rows.orderBy(sort.column, direction(sort.descending))
      return sorted
        .orderBy('id', direction(sort?.descending ?? true))
        .limit(limit)
        .offset(offset)
        .execute()
    },
    count: async (filter, cap) => {
      const row = await database.query
        .selectFrom((eb) => eb.selectFrom('logs').select('id').where(fits(filter)).limit(cap).as('counted'))
        .select((eb) => eb.fn.countAll().as('rows'))
        .executeTakeFirstOrThrow()
      return Number(row.rows)
    },
    quota: async (filter) => {
      const row = await charges(filter)
        .select((eb) => eb.fn.sum('quota').as('quota'))
        .executeTakeFirstOrThrow()
      return Number(row.quota ?? 0)
    },
    load: async (filter) => {
      const row = await charges(filter)
        .select((eb) => [
          eb.fn.countAll().as('requests'),
          eb.fn.sum('prompt_tokens').as('prompt'),
          eb.fn.sum('completion_tokens').as('completion'),
        ])
        .executeTakeFirstOrThrow()
      return { requests: Number(row.requests), tokens: Number(row.prompt ?? 0) + Number(row.completion ?? 0) }
    },
    insert: (row) => database.insertMany('logs', [row]),
  }
}

const direction = (descending: boolean): 'desc' | 'asc' => (descending ? 'desc' : 'asc')
