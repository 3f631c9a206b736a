import { neverExpires, type TokenFacet, tokenStatus, type ValueCounts } from '@tollgate/contract'
import type { ExpressionBuilder, Selectable, SelectQueryBuilder, Transaction } from 'kysely'
import type { Database } from '../../db/database.ts'
import { containsText, insertReturningId } from '../../db/dialect.ts'
import { countValues, inPart, type RowRange } from '../../db/facets.ts'
import type { Tables, TokensTable } from '../../db/schema.ts'
import { negating } from '../../db/search.ts'

export type TokenRow = Selectable<TokensTable>
type ProjectColumns = 'project_id' | 'member_id' | 'secret_for'
/** Keys of people's own leave the columns of projects out. */
export type NewToken = Omit<TokenRow, 'id' | 'used_quota' | 'remain_quota' | 'deleted_at' | ProjectColumns> &
  Partial<Pick<TokenRow, ProjectColumns>>
export type TokenChange = Partial<Omit<NewToken, 'user_id'>>

/** Which tokens of a user are meant; empty parts do not filter. */
export interface TokenFilter extends RowRange {
  readonly userId: number
  readonly name: string
  readonly key: KeyTerm | undefined
  /** Statuses that a token has at `now`, in unix seconds. */
  readonly status: readonly number[]
  readonly now: number
  readonly group: string
  /** Names of filters that leave out what they name. */
  readonly not: readonly string[]
}

/** Keys are stored encrypted: a whole key is found by its hash, a part of one where the hint shows it. */
export interface KeyTerm {
  readonly hash: string
  readonly part: string
}

export interface TokenSort {
  readonly column:
    | 'id'
    | 'name'
    | 'status'
    | 'used_quota'
    | 'remain_quota'
    | 'created_time'
    | 'expired_time'
    | 'accessed_time'
  readonly descending: boolean
}

export interface TokenStore {
  find(filter: TokenFilter, sort: TokenSort, slice?: { offset: number; limit: number }): Promise<TokenRow[]>
  count(filter: TokenFilter): Promise<number>
  /** How many tokens have each value of a facet; what the filter says of the facet itself does not count. */
  facet(filter: TokenFilter, name: TokenFacet): Promise<ValueCounts>
  get(userId: number, id: number): Promise<TokenRow | undefined>
  /** In no particular order, without those that are not there. */
  getMany(userId: number, ids: readonly number[]): Promise<TokenRow[]>
  /** The row starts without quota: the ledger opens its balance in the same transaction. */
  insert(trx: Transaction<Tables>, row: NewToken): Promise<number>
  update(trx: Transaction<Tables>, id: number, change: TokenChange): Promise<void>
  /** Soft. */
  remove(trx: Transaction<Tables>, id: number, time: number): Promise<void>
  /** Those among `ids` that were deleted at `since` or later. */
  removed(userId: number, ids: readonly number[], since: number): Promise<TokenRow[]>
  /** Takes a delete at `since` or later back; false when there is none. */
  restore(trx: Transaction<Tables>, token: { userId: number; id: number; since: number }): Promise<boolean>
}

type Where = ExpressionBuilder<Tables, 'tokens'>

/** `statusNow` of the rules, in SQL. */
const statusAt = (now: number) => (eb: Where) =>
  eb
    .case()
    .when('status', '<>', eb.lit(tokenStatus.enabled))
    .then(eb.ref('status'))
    .when(eb.and([eb('expired_time', '<>', eb.lit(neverExpires)), eb('expired_time', '<=', now)]))
    .then(eb.lit(tokenStatus.expired))
    .when(eb.and([eb('unlimited_quota', '=', eb.lit(0)), eb('remain_quota', '<=', eb.lit(0))]))
    .then(eb.lit(tokenStatus.exhausted))
    .else(eb.ref('status'))
    .end()

const fits = (filter: TokenFilter) => (eb: Where) => {
  const kept = negating(filter.not)
  return eb.and([
    eb('user_id', '=', filter.userId),
    eb('deleted_at', 'is', null),
    ...inPart('id', filter),
    ...(filter.name ? [containsText('name', filter.name)] : []),
    ...(filter.key ? [eb.or([eb('key_hash', '=', filter.key.hash), containsText('key_hint', filter.key.part)])] : []),
    ...(filter.status.length > 0 ? [kept('status', eb(statusAt(filter.now)(eb), 'in', [...filter.status]))] : []),
    ...(filter.group ? [kept('group', eb('group', '=', filter.group))] : []),
  ])
}

const sliced = <O>(
  query: SelectQueryBuilder<Tables, 'tokens', O>,
  slice: { offset: number; limit: number } | undefined,
): SelectQueryBuilder<Tables, 'tokens', O> => (slice ? query.limit(slice.limit).offset(slice.offset) : query)

/** The token table as its owners see it. */
export const openTokenStore = (database: Database): TokenStore => ({
  find: (filter, sort, slice) =>
    sliced(
      database.query
        .selectFrom('tokens')
        .selectAll()
        .where(fits(filter))
        .orderBy(sort.column === 'status' ? statusAt(filter.now) : sort.column, sort.descending ? 'desc' : 'asc')
        .orderBy('id', 'desc'),
      slice,
    ).execute(),
  count: async (filter) => {
    const row = await database.query
      .selectFrom('tokens')
      .select((eb) => eb.fn.countAll().as('rows'))
      .where(fits(filter))
      .executeTakeFirstOrThrow()
    return Number(row.rows)
  },
  facet: (filter, name) => {
    const others = { ...filter, ...(name === 'status' ? { status: [] } : { group: '' }) }
    const rows = database.query.selectFrom('tokens').where(fits(others))
    return name === 'status'
      ? countValues(
          database,
          rows.select((eb) => statusAt(filter.now)(eb).as('value')),
        )
      : countValues(
          database,
          rows.select((eb) => eb.ref('group').as('value')),
        )
  },
  get: (userId, id) =>
    database.query
      .selectFrom('tokens')
      .selectAll()
      .where('id', '=', id)
      .where('user_id', '=', userId)
      .where('deleted_at', 'is', null)
      .executeTakeFirst(),
  getMany: async (userId, ids) => {
    if (ids.length === 0) return []
    return database.query
      .selectFrom('tokens')
      .selectAll()
      .where('id', 'in', [...ids])
      .where('user_id', '=', userId)
      .where('deleted_at', 'is', null)
      .execute()
  },
  insert: (trx, row) => insertReturningId(trx, 'tokens', { ...row, deleted_at: null }),
  update: async (trx, id, change) => {
    if (Object.keys(change).length === 0) return
    await trx.updateTable('tokens').set(change).where('id', '=', id).execute()
  },
  remove: async (trx, id, time) => {
    await trx.updateTable('tokens').set({ deleted_at: time }).where('id', '=', id).execute()
  },
  removed: (userId, ids, since) =>
    database.query
      .selectFrom('tokens')
      .selectAll()
      .where('id', 'in', [...ids])
      .where('user_id', '=', userId)
      .where('deleted_at', '>=', since)
      .execute(),
  restore: async (trx, { userId, id, since }) => {
    const { numUpdatedRows } = await trx
      .updateTable('tokens')
      .set({ deleted_at: null })
      .where('id', '=', id)
      .where('user_id', '=', userId)
      .where('deleted_at', '>=', since)
      .executeTakeFirstOrThrow()
    return numUpdatedRows > 0n
  },
})
