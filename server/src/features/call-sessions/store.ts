import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import { containsText } from '../../db/dialect.ts'
import { memberText } from '../../db/short-text.ts'

export interface CallSessionFilter {
  readonly userId: number | undefined
  /** Unix seconds of full hours; undefined or 0 for no bound. */
  readonly from: number | undefined
  readonly to: number | undefined
  /** Empty for any. */
  readonly session: string
  /** A part of a model's name; empty for any. */
  readonly model: string
}

const figures = [
  'count',
  'failures',
  'quota',
  'prompt_tokens',
  'completion_tokens',
  'cached_tokens',
  'cache_write_tokens',
  'missed_tokens',
  'cache_saved',
  'cache_lost',
] as const

/** A session within the hours that were asked for. */
export interface SessionSums extends Readonly<Record<(typeof figures)[number], number>> {
  readonly session: string
  readonly user_id: number
  readonly token_id: number
  readonly first_hour: number
  readonly last_hour: number
}

/** When the first and the last logged call was; unix seconds. */
interface SessionTimes {
  readonly first: number
  readonly last: number
}

export interface AllSums {
  readonly sessions: number
  /** Sessions that paid for misses of caches. */
  readonly missed: number
  readonly quota: number
  readonly prompt_tokens: number
  readonly cached_tokens: number
  readonly cache_saved: number
  readonly cache_lost: number
}

export interface CallSessionStore {
  page(filter: CallSessionFilter, slice: { offset: number; limit: number }): Promise<SessionSums[]>
  count(filter: CallSessionFilter): Promise<number>
  /** Sums of all sessions. */
  sums(filter: CallSessionFilter): Promise<AllSums>
  /** How many of them have a logged call since then, in Unix seconds. */
  runningSince(filter: CallSessionFilter, since: number): Promise<number>
  /** The group of the latest logged call of a session, of this user where one is named; undefined without any. */
  groupOf(session: string, userId: number | undefined): Promise<string | undefined>
  /** The models of sessions, by name. */
  models(sessions: readonly string[]): Promise<ReadonlyMap<string, string[]>>
  /** When the first and the last logged call of sessions was; those without any are absent. */
  times(sessions: readonly string[]): Promise<ReadonlyMap<string, SessionTimes>>
  /** The program of the latest call of sessions, of which these are the times; those where it is not known are absent. */
  clients(times: ReadonlyMap<string, SessionTimes>): Promise<ReadonlyMap<string, string>>
}

export const openCallSessionStore = ({
  database,
  logDatabase,
}: {
  readonly database: Database
  readonly logDatabase: Database
}): CallSessionStore => {
  const { query } = database

  const meant = ({ userId, from, to, session, model }: CallSessionFilter) => {
    let rows = query.selectFrom('call_session_hours')
    if (userId !== undefined) rows = rows.where('user_id', '=', userId)
    if (session !== '') rows = rows.where('session', '=', session)
    if (from) rows = rows.where('created_at', '>=', from)
    if (to) rows = rows.where('created_at', '<=', to)
    if (model !== '') rows = rows.where(containsText('model_name', model))
    return rows
  }

  return {
    async page(filter, { offset, limit }) {
      const rows = await meant(filter)
        .select(({ fn }) => [
          'session',
          fn.max('user_id').as('user_id'),
          fn.max('token_id').as('token_id'),
          fn.min('created_at').as('first_hour'),
          fn.max('created_at').as('last_hour'),
          fn.max('id').as('last_row'),
          ...figures.map((figure) => fn.sum(figure).as(figure)),
        ])
        .groupBy('session')
        .orderBy('last_hour', 'desc')
        // Within an hour those that began last: rows are made when a session first calls, and added to afterwards.
        .orderBy('last_row', 'desc')
        .limit(limit)
        .offset(offset)
        .execute()
      return rows.map(({ session, last_row: _row, ...row }) => ({
        session,
        // Sums are text where the engine has no number for them.
        ...(Object.fromEntries(Object.entries(row).map(([name, value]) => [name, Number(value)])) as Omit<
          SessionSums,
          'session'
        >),
      }))
    },
    async count(filter) {
      const counted = await meant(filter)
        .select(sql<number>`count(distinct session)`.as('sessions'))
        .executeTakeFirstOrThrow()
      return Number(counted.sessions)
    },
    async sums(filter) {
      const sums = await meant(filter)
        .select(({ fn }) => [
          sql<number>`count(distinct session)`.as('sessions'),
          sql<number>`count(distinct case when cache_lost > 0 then session end)`.as('missed'),
          fn.sum('quota').as('quota'),
          fn.sum('prompt_tokens').as('prompt_tokens'),
          fn.sum('cached_tokens').as('cached_tokens'),
          fn.sum('cache_saved').as('cache_saved'),
          fn.sum('cache_lost').as('cache_lost'),
        ])
        .executeTakeFirstOrThrow()
      // Sums are text where the engine has no number for them, and null over no rows.
      return Object.fromEntries(Object.entries(sums).map(([name, value]) => [name, Number(value ?? 0)])) as {
        [Name in keyof AllSums]: number
      }
    },
    async runningSince({ userId, session, model, to }, since) {
      if (to && to < since) return 0
      let rows = logDatabase.query.selectFrom('logs').where('created_at', '>=', since).where('session', 'is not', null)
      if (userId !== undefined) rows = rows.where('user_id', '=', userId)
      if (session !== '') rows = rows.where('session', '=', session)
      if (model !== '') rows = rows.where(containsText('model_name', model))
      const counted = await rows.select(sql<number>`count(distinct session)`.as('sessions')).executeTakeFirstOrThrow()
      return Number(counted.sessions)
    },
    async groupOf(session, userId) {
      let rows = logDatabase.query.selectFrom('logs').where('session', '=', session)
      if (userId !== undefined) rows = rows.where('user_id', '=', userId)
      const latest = await rows.select('group').orderBy('created_at', 'desc').limit(1).executeTakeFirst()
      return latest?.group
    },
    async models(sessions) {
      if (sessions.length === 0) return new Map()
      const rows = await query
        .selectFrom('call_session_hours')
        .select(['session', 'model_name'])
        .distinct()
        .where('session', 'in', [...sessions])
        .orderBy('model_name')
        .execute()
      const found = Map.groupBy(rows, ({ session }) => session)
      return new Map([...found].map(([session, of]) => [session, of.map(({ model_name }) => model_name)]))
    },
    async times(sessions) {
      if (sessions.length === 0) return new Map()
      const rows = await logDatabase.query
        .selectFrom('logs')
        .select(({ fn }) => ['session', fn.min('created_at').as('first'), fn.max('created_at').as('last')])
        .where('session', 'in', [...sessions])
        .groupBy('session')
        .execute()
      return new Map(
        rows.map(({ session, first, last }) => [session ?? '', { first: Number(first), last: Number(last) }]),
      )
    },
    async clients(times) {
      if (times.size === 0) return new Map()
      const rows = await logDatabase.query
        .selectFrom('logs')
        .select(['session', memberText(logDatabase.engine, 'other', 'client').as('client')])
        // The rows of one moment of each session, along the index over both.
        .where((eb) =>
          eb.or(
            [...times].map(([session, { last }]) => eb.and([eb('session', '=', session), eb('created_at', '=', last)])),
          ),
        )
        .orderBy('id')
        .execute()
      return new Map(rows.flatMap(({ session, client }) => (session && client ? [[session, client]] : [])))
    },
  }
}
