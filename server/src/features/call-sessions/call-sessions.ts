import {
  type CallSession,
  type CallSessionGuard,
  type CallSessionSums,
  type listCallSessions,
  type QueryOf,
  type SessionLimits,
  sessionRunsFor,
  type sumCallSessions,
} from '@tollgate/contract'
import type { Database } from '../../db/database.ts'
import { type Clock, unixSeconds } from '../../lib/clock.ts'
import type { SessionCounts } from '../../relay/sessions/session-counts.ts'
import { type CallSessionFilter, openCallSessionStore, type SessionSums } from './store.ts'

export interface CallSessionParts {
  readonly database: Database
  /** The same as `database` unless logs live apart. */
  readonly logDatabase: Database
  userNames(ids: readonly number[]): Promise<ReadonlyMap<number, string>>
  tokenNames(ids: readonly number[]): Promise<ReadonlyMap<number, { name: string }>>
  userIdOf(username: string): Promise<number | undefined>
  /** Limits that stop sessions, by group; `*` for all groups without an entry of their own. */
  limitsByGroup(): ReadonlyMap<string, SessionLimits>
  readonly counts: Pick<SessionCounts, 'peek'>
  readonly clock: Clock
}

export interface CallSessionPage {
  readonly items: CallSession[]
  readonly total: number
  readonly page: number
  readonly page_size: number
}

export interface CallSessions {
  /** One page, the latest first; of everybody where no user is named. */
  list(query: QueryOf<typeof listCallSessions>, userId?: number): Promise<CallSessionPage>
  /** Sums of all sessions; of all users if no user is named. */
  sums(query: QueryOf<typeof sumCallSessions>, userId?: number): Promise<CallSessionSums>
  /** The limits of a session and what it used of them; null where it has none, or is not this user's. */
  guard(session: string, userId?: number): Promise<CallSessionGuard | null>
}

const hour = 3_600
const minuteMs = 60_000
const nobody = -1

export const createCallSessions = (parts: CallSessionParts): CallSessions => {
  const store = openCallSessionStore(parts)

  const shown = async (rows: readonly SessionSums[]): Promise<CallSession[]> => {
    const ids = rows.map(({ session }) => session)
    const found = store.times(ids)
    const [models, times, clients, users, tokens] = await Promise.all([
      store.models(ids),
      found,
      found.then(store.clients),
      parts.userNames([...new Set(rows.map(({ user_id }) => user_id))]),
      parts.tokenNames([...new Set(rows.map(({ token_id }) => token_id).filter((id) => id > 0))]),
    ])
    return rows.map(({ session, token_id, first_hour, last_hour, count, ...sums }) => ({
      id: session,
      ...sums,
      calls: count,
      username: users.get(sums.user_id) ?? '',
      token_name: tokens.get(token_id)?.name ?? '',
      client: clients.get(session) ?? '',
      models: models.get(session) ?? [],
      first_time: times.get(session)?.first ?? first_hour,
      last_time: times.get(session)?.last ?? last_hour,
    }))
  }

  const filterOf = async (query: QueryOf<typeof sumCallSessions>, userId?: number): Promise<CallSessionFilter> => {
    const named = query.username === '' ? userId : ((await parts.userIdOf(query.username)) ?? nobody)
    return {
      userId: userId ?? named,
      from: query.start_timestamp && query.start_timestamp - (query.start_timestamp % hour),
      to: query.end_timestamp,
      session: query.session,
      model: query.model_name,
    }
  }

  return {
    async list(query, userId) {
      const filter = await filterOf(query, userId)
      const { p: page, page_size } = query
      const [rows, total] = await Promise.all([
        store.page(filter, { offset: (page - 1) * page_size, limit: page_size }),
        store.count(filter),
      ])
      const items = await shown(rows)
      return { items: items.toSorted((left, right) => right.last_time - left.last_time), total, page, page_size }
    },
    async sums(query, userId) {
      const filter = await filterOf(query, userId)
      const [sums, running] = await Promise.all([
        store.sums(filter),
        store.runningSince(filter, unixSeconds(parts.clock) - sessionRunsFor),
      ])
      return { ...sums, running }
    },
    async guard(session, userId) {
      const limits = parts.limitsByGroup()
      const group = limits.size === 0 ? undefined : await store.groupOf(session, userId)
      const limit = group === undefined ? undefined : (limits.get(group) ?? limits.get('*'))
      if (limit === undefined) return null
      const { calls = 0, quota = 0, startedAt } = parts.counts.peek(session) ?? {}
      const minutes = startedAt === undefined ? 0 : Math.floor((parts.clock() - startedAt) / minuteMs)
      return { limits: limit, calls, quota, minutes }
    },
  }
}
