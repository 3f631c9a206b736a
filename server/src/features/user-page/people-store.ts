import type { Invitee, Page, UserSession } from '@tollgate/contract'
import type { Database } from '../../db/database.ts'

interface Slice {
  readonly p: number
  readonly page_size: number
}

export interface PeopleStore {
  nameOf(userId: number): Promise<string | undefined>
  /** Users whom a user invited, newest first; cancelled ones included. */
  invitees(userId: number, slice: Slice): Promise<Page<Invitee>>
  /** Sessions that are alive at `now` (unix seconds). */
  sessions(userId: number, slice: Slice, now: number): Promise<Page<Omit<UserSession, 'id'> & { id_hash: string }>>
  countSessions(userId: number, now: number): Promise<number>
  countTokens(userId: number): Promise<number>
}

const offsetOf = ({ p, page_size }: Slice): number => (p - 1) * page_size

const inviteeColumns = ['id', 'username', 'display_name', 'status', 'deleted_at', 'created_time', 'used_quota'] as const
const sessionColumns = ['id_hash', 'created_time', 'last_seen_time', 'expires_time', 'ip', 'user_agent'] as const

/** People and browsers of a user: invited users, sessions, and the number of keys. */
export const openPeopleStore = ({ query }: Database): PeopleStore => {
  const invited = (userId: number) => query.selectFrom('users').where('inviter_id', '=', userId)
  const living = (userId: number, now: number) =>
    query.selectFrom('sessions').where('user_id', '=', userId).where('expires_time', '>', now)

  const store: PeopleStore = {
    nameOf: async (userId) =>
      (await query.selectFrom('users').select('username').where('id', '=', userId).executeTakeFirst())?.username,
    async invitees(userId, slice) {
      const page = invited(userId)
        .select([...inviteeColumns])
        .orderBy('id', 'desc')
      const [rows, counted] = await Promise.all([
        page.limit(slice.page_size).offset(offsetOf(slice)).execute(),
        invited(userId)
          .select(({ fn }) => fn.countAll().as('rows'))
          .executeTakeFirstOrThrow(),
      ])
      const items = rows.map(({ deleted_at, ...row }) => ({
        ...row,
        DeletedAt: deleted_at === null ? null : new Date(deleted_at * 1000).toISOString(),
      }))
      return { items, total: Number(counted.rows), page: slice.p, page_size: slice.page_size }
    },
    async sessions(userId, slice, now) {
      const page = living(userId, now)
        .select([...sessionColumns])
        .orderBy('last_seen_time', 'desc')
      const [items, total] = await Promise.all([
        page.orderBy('id_hash').limit(slice.page_size).offset(offsetOf(slice)).execute(),
        store.countSessions(userId, now),
      ])
      return { items, total, page: slice.p, page_size: slice.page_size }
    },
    async countSessions(userId, now) {
      const counted = living(userId, now).select(({ fn }) => fn.countAll().as('rows'))
      return Number((await counted.executeTakeFirstOrThrow()).rows)
    },
    async countTokens(userId) {
      const counted = query
        .selectFrom('tokens')
        .where('user_id', '=', userId)
        .where('deleted_at', 'is', null)
        .select(({ fn }) => fn.countAll().as('rows'))
      return Number((await counted.executeTakeFirstOrThrow()).rows)
    },
  }
  return store
}
