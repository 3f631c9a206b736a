import { cancelledUsers, type QueryOf, type searchUsers, type UserFacet, type ValueCounts } from '@tollgate/contract'
import { type ExpressionBuilder, type Insertable, sql, type Transaction, type Updateable } from 'kysely'
import type { Database } from '../../db/database.ts'
import { containsText, insertReturningId } from '../../db/dialect.ts'
import { countValues, inPart, type RowRange } from '../../db/facets.ts'
import type { Tables, UserRow, UsersTable } from '../../db/schema.ts'
import { negating } from '../../db/search.ts'

export type NewUserRow = Omit<Insertable<UsersTable>, 'id' | 'quota'>
export type UserChange = Updateable<UsersTable>

type Query = QueryOf<typeof searchUsers>

export interface UserFilter extends Pick<Query, 'keyword' | 'group' | 'role' | 'status' | 'kind' | 'not'>, RowRange {}

export interface UserSlice extends Pick<Query, 'sort'> {
  readonly offset: number
  readonly limit: number
}

export interface UserStore {
  /** A page and the number of all rows that fit; cancelled users included. */
  find(filter: UserFilter, slice: UserSlice): Promise<{ rows: UserRow[]; total: number }>
  /** The newest that fit, without counting them. */
  some(filter: UserFilter, slice: UserSlice): Promise<UserRow[]>
  /** How many users have each value of a facet; what the filter says of the facet itself does not count. */
  facet(filter: UserFilter, name: UserFacet): Promise<ValueCounts>
  /** Cancelled users included. */
  byId(id: number): Promise<UserRow | undefined>
  byUsername(username: string): Promise<UserRow | undefined>
  /** Users who are not cancelled, whatever the case. E-mail addresses of older databases may belong to several. */
  byEmail(email: string): Promise<UserRow[]>
  byAccessTokenHash(hash: string): Promise<UserRow | undefined>
  anyOfRole(role: number): Promise<UserRow | undefined>
  affCodeExists(code: string): Promise<boolean>
  /** Owner of an invite code; codes of cancelled users are invalid. */
  inviter(affCode: string): Promise<UserRow | undefined>
  /** One more user came by this one's invitation. */
  countInvitation(trx: Transaction<Tables>, inviterId: number): Promise<void>
  /** The new row's id. Its quota is 0: what it begins with is the ledger's business. */
  insert(trx: Transaction<Tables>, row: NewUserRow): Promise<number>
  update(trx: Transaction<Tables>, id: number, change: UserChange): Promise<void>
  /** Replaces a password's hash if it is still this one. */
  replaceHash(id: number, was: string, hash: string): Promise<void>
}

const wholeNumber = /^\d{1,15}$/

/** All queries of the users table. */
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

  const filtered = ({ keyword, group, role, status, kind, not, ...part }: UserFilter) => {
    const kept = negating(not)
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
    if (group !== '') rows = rows.where((has) => kept('group', has('group', '=', group)))
    if (role.length > 0) rows = rows.where((has) => kept('role', has('role', 'in', role)))
    if (status.length > 0) rows = rows.where((has) => kept('status', statusFits(status)(has)))
    if (kind === 'people' || kind === 'wallets') rows = rows.where('organisation_id', kind === 'people' ? '=' : '>', 0)
    for (const condition of inPart('id', part)) rows = rows.where(condition)
    return rows
  }

  const page = (filter: UserFilter, { sort, offset, limit }: UserSlice): Promise<UserRow[]> => {
    const { column, descending } = sort ?? { column: 'id', descending: true }
    return filtered(filter)
      .selectAll()
      .orderBy(column, descending ? 'desc' : 'asc')
      .orderBy('id', 'desc')
      .offset(offset)
      .limit(limit)
      .execute()
  }

  return {
    async find(filter, slice) {
      const count = filtered(filter).select(({ fn }) => fn.countAll<number>().as('total'))
      const [rows, counted] = await Promise.all([page(filter, slice), count.executeTakeFirst()])
      return { rows, total: Number(counted?.total ?? 0) }
    },
    some: page,
    facet(filter, name) {
      const others = { ...filter, [name]: name === 'group' ? '' : [] }
      const cancelled = (has: ExpressionBuilder<Tables, 'users'>) =>
        has.case().when('deleted_at', 'is not', null).then(has.lit(cancelledUsers)).else(has.ref('status')).end()
      const rows = filtered(others).select((has) => (name === 'status' ? cancelled(has) : has.ref(name)).as('value'))
      return countValues(database, rows)
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
    async replaceHash(id, was, hash) {
      await database.query
        .updateTable('users')
        .set({ password: hash })
        .where('id', '=', id)
        .where('password', '=', was)
        .execute()
    },
    async update(trx, id, change) {
      await trx.updateTable('users').set(change).where('id', '=', id).execute()
    },
  }
}
