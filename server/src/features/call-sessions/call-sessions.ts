import type { CallSession, listCallSessions, QueryOf } from '@tollgate/contract'
import type { Database } from '../../db/database.ts'
import { type CallSessionFilter, openCallSessionStore, type SessionSums } from './store.ts'

export interface CallSessionParts {
  readonly database: Database
  /** The same as `database` unless logs live apart. */
  readonly logDatabase: Database
  userNames(ids: readonly number[]): Promise<ReadonlyMap<number, string>>
  tokenNames(ids: readonly number[]): Promise<ReadonlyMap<number, { name: string }>>
  userIdOf(username: string): Promise<number | undefined>
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
}

const hour = 3_600
const nobody = -1

export const createCallSessions = (parts: CallSessionParts): CallSessions => {
  const store = openCallSessionStore(parts)

  const shown = async (rows: readonly SessionSums[]): Promise<CallSession[]> => {
    const ids = rows.map(({ session }) => session)
    const [models, times, users, tokens] = await Promise.all([
      store.models(ids),
      store.times(ids),
      parts.userNames([...new Set(rows.map(({ user_id }) => user_id))]),
      parts.tokenNames([...new Set(rows.map(({ token_id }) => token_id).filter((id) => id > 0))]),
    ])
    return rows.map(({ session, token_id, first_hour, last_hour, count, ...sums }) => ({
      id: session,
      ...sums,
      calls: count,
      username: users.get(sums.user_id) ?? '',
      token_name: tokens.get(token_id)?.name ?? '',
      models: models.get(session) ?? [],
      first_time: times.get(session)?.first ?? first_hour,
      last_time: times.get(session)?.last ?? last_hour,
    }))
  }

  return {
    async list(query, userId) {
      const named = query.username === '' ? userId : ((await parts.userIdOf(query.username)) ?? nobody)
      const filter: CallSessionFilter = {
        userId: userId ?? named,
        from: query.start_timestamp && query.start_timestamp - (query.start_timestamp % hour),
        to: query.end_timestamp,
        session: query.session,
        model: query.model_name,
      }
      const { p: page, page_size } = query
      const [rows, total] = await Promise.all([
        store.page(filter, { offset: (page - 1) * page_size, limit: page_size }),
        store.count(filter),
      ])
      const items = await shown(rows)
      return { items: items.toSorted((left, right) => right.last_time - left.last_time), total, page, page_size }
    },
  }
}
