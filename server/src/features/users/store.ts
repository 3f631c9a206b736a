import { cancelledUsers, type QueryOf, type searchUsers } from '@tollgate/contract'
import {
  type ExpressionBuilder,
  type Insertable,
  type Selectable,
  sql,
  type Transaction,
  type Updateable,
} from 'kysely'
import type { Database } from '../../db/database.ts'
import { containsText, insertReturningId } from '../../db/dialect.ts'
import type { Tables, UsersTable } from '../../db/schema.ts'

export type UserRow = Selectable<UsersTable>
export type NewUserRow = Omit<Insertable<UsersTable>, 'id' | 'quota'>
export type UserChange = Updateable<UsersTable>

type Query = QueryOf<typeof searchUsers>

export interface UserFilter extends Pick<Query, 'keyword' | 'group' | 'role' | 'status'> {}

export interface UserSlice extends Pick<Query, 'sort'> {
  readonly offset: number
  readonly limit: number
}

export interface UserStore {
  /** A page and the number of all rows that fit; cancelled users included. */
  find(filter: UserFilter, slice: UserSlice): Promise<{ rows: UserRow[]; total: number }>
  /** Cancelled users included. */
  byId(id: number): Promise<UserRow | undefined>
  byUsername(username: string): Promise<UserRow | undefined>
  /** Users who are not cancelled, whatever the case. E-mail addresses of older databases may belong to several. */
  byEmail(email: string): Promise<UserRow[]>
  byAccessTokenHash(hash: string): Promise<UserRow | undefined>
  anyOfRole(role: number): Promise<UserRow | undefined>
  affCodeExists(code: string): Promise<boolean>
  /** Whose invite code it is; cancelled users invite nobody. */
  inviter(affCode: string): Promise<UserRow | undefined>
  /** One more user came by this one's invitation. */
  countInvitation(trx: Transaction<Tables>, inviterId: number): Promise<void>
  /** The new row's id. Its quota is 0: what it begins with is the ledger's business. */
  insert(trx: Transaction<Tables>, row: NewUserRow): Promise<number>
  update(trx: Transaction<Tables>, id: number, change: UserChange): Promise<void>
}

const wholeNumber = /^\d{1,15}$/

/** The users table; nobody else queries it. */
export const createUserStore = (database: Database): UserStore => {
  const users = () => database.query.selectFrom('users')

  /** A cancelled user is nothing but that, whatever status it had. */
  const statusFits = (status: readonly number[]) => (has: ExpressionBuilder<Tables, 'users'>) => {
    const states = status.filter((state) => state !== cancelledUsers)
    return has.or([
      ...(states.length > 0 ? [has.and([has('status', 'in', states), has('deleted_at', 'is', null)])] : []),
      ...(states.length < status.length ? [has('deleted_at', 'is not', null)] : []),
    ])
  }

  const filtered = ({ keyword, group, role, status }: UserFilter) => {
    const term = keyword.trim()
    let rows = users()
    if (term !== '') {
      rows = rows.where((has) =>
        has.or([
          containsText('username', term),
          containsText('email', term),
          containsText('display_name', term),
          ...(wholeNumber.test(term) ? [has('id', '=', Number(term))] : []),
        ]),
      )
    }
    if (group !== '') rows = rows.where('group', '=', group)
    if (role.length > 0) rows = rows.where('role', 'in', role)
    if (status.length > 0) rows = rows.where(statusFits(status))
    return rows
  }

  return {
    async find(filter, { sort, offset, limit }) {
      const { column, descending } = sort ?? { column: 'id', descending: true }
      const page = filtered(filter)
        .selectAll()
        .orderBy(column, descending ? 'desc' : 'asc')
        .orderBy('id', 'desc')
        .offset(offset)
        .limit(limit)
      const count = filtered(filter).select(({ fn }) => fn.countAll<number>().as('total'))
      const [rows, counted] = await Promise.all([page.execute(), count.executeTakeFirst()])
      return { rows, total: Number(counted?.total ?? 0) }
    },
    byId: (id) => users().selectAll().where('id', '=', id).executeTakeFirst(),
    byUsername: (username) => users().selectAll().where('username', '=', username).executeTakeFirst(),
    byEmail: (email) =>
      users()
        .selectAll()
        .where('email', 'in', [email, email.toLowerCase()])
        .where('deleted_at', 'is', null)
        .limit(2)
        .execute(),
    byAccessTokenHash: (hash) =>
      users().selectAll().where('access_token_hash', '=', hash).where('deleted_at', 'is', null).executeTakeFirst(),
    anyOfRole: (role) =>
      users().selectAll().where('role', '=', role).where('deleted_at', 'is', null).limit(1).executeTakeFirst(),
    affCodeExists: async (code) =>
      (await users().select('id').where('aff_code', '=', code).limit(1).executeTakeFirst()) !== undefined,
    inviter: (affCode) =>
      users().selectAll().where('aff_code', '=', affCode).where('deleted_at', 'is', null).executeTakeFirst(),
    async countInvitation(trx, inviterId) {
      const set = { aff_count: sql<number>`aff_count + 1` }
      await trx.updateTable('users').set(set).where('id', '=', inviterId).execute()
    },
    insert: (trx, row) => insertReturningId(trx, 'users', row),
    async update(trx, id, change) {
      await trx.updateTable('users').set(change).where('id', '=', id).execute()
    },
  }
}
