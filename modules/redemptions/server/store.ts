import { redemptionExpired, redemptionStatus, type ValueCounts } from '@tollgate/contract'
import { type ExpressionBuilder, type Selectable, type SqlBool, sql, type Transaction } from 'kysely'
import type { Database } from '#server/db/database.ts'
import { insertReturningId } from '#server/db/dialect.ts'
import { countValues, inPart, type RowRange } from '#server/db/facets.ts'
import type { RedemptionsTable, Tables } from '#server/db/schema.ts'
import { negating } from '#server/db/search.ts'

export type RedemptionRow = Selectable<RedemptionsTable>

/** A row with the usernames of its creator and redeemer. */
export interface ShownRow extends RedemptionRow {
  readonly creator: string | null
  readonly used_username: string | null
}

export type NewRedemption = Omit<RedemptionRow, 'id' | 'redeemed_time' | 'used_user_id' | 'deleted_at'>
export type RedemptionChange = Partial<Pick<RedemptionRow, 'name' | 'quota' | 'expired_time' | 'status'>>

/** Which codes are meant; empty parts do not filter. */
export interface RedemptionFilter extends RowRange {
  /** An id, or the beginning of a name. */
  readonly keyword: string
  readonly status: readonly number[]
  readonly batchId: string
  /** Names of filters, as the endpoint calls them, that leave out what they name. */
  readonly not: readonly string[]
  /** Unix seconds: codes whose time is over by then count as expired. */
  readonly now: number
}

export interface RedemptionSort {
  readonly column: 'id' | 'name' | 'status' | 'quota' | 'created_time' | 'redeemed_time' | 'expired_time'
  readonly descending: boolean
}

export interface RedemptionStore {
  find(filter: RedemptionFilter, sort: RedemptionSort, slice: { offset: number; limit: number }): Promise<ShownRow[]>
  count(filter: RedemptionFilter): Promise<number>
  /** How many codes have each status, whatever the filter says of it. */
  countStatus(filter: RedemptionFilter): Promise<ValueCounts>
  /** In the order of the ids; those that do not exist are missing. */
  byIds(ids: readonly number[]): Promise<ShownRow[]>
  byKeyHash(hash: string): Promise<RedemptionRow | undefined>
  insert(trx: Transaction<Tables>, row: NewRedemption): Promise<number>
  /** Changes a code that still has one of these status, and answers it; undefined when it has another. */
  change(
    trx: Transaction<Tables>,
    id: number,
    change: RedemptionChange,
    from: readonly number[],
  ): Promise<RedemptionRow | undefined>
  /** Makes a usable code used, and answers it; undefined for everybody but the first. */
  use(trx: Transaction<Tables>, id: number, by: { userId: number; now: number }): Promise<RedemptionRow | undefined>
  /** Soft. */
  remove(trx: Transaction<Tables>, id: number, now: number): Promise<boolean>
  /** Those among `ids` that were deleted at `since` or later, in unix seconds. */
  removed(ids: readonly number[], since: number): Promise<RedemptionRow[]>
  /** Takes a delete at `since` or later back; false when there is none. */
  restore(trx: Transaction<Tables>, id: number, since: number): Promise<boolean>
}

type Where = ExpressionBuilder<Tables, 'redemptions'>

const beginsWith = (text: string) => {
  const pattern = `${text.replace(/[%_!]/g, '!$&')}%`
  return sql<SqlBool>`lower(redemptions.name) like lower(${pattern}) escape '!'`
}

const idIn = (text: string): number | undefined => (/^\d{1,15}$/.test(text) ? Number(text) : undefined)

const hasStatus = (eb: Where, status: number, now: number) => {
  const expired = eb.and([eb('expired_time', '>', 0), eb('expired_time', '<=', now)])
  if (status === redemptionExpired) return eb.and([eb('redemptions.status', '=', redemptionStatus.unused), expired])
  if (status === redemptionStatus.unused) return eb.and([eb('redemptions.status', '=', status), eb.not(expired)])
  return eb('redemptions.status', '=', status)
}

const fits = (filter: RedemptionFilter) => (eb: Where) => {
  const id = idIn(filter.keyword)
  const kept = negating(filter.not)
  return eb.and([
    eb('redemptions.deleted_at', 'is', null),
    ...inPart('redemptions.id', filter),
    ...(filter.keyword === ''
      ? []
      : [eb.or([beginsWith(filter.keyword), ...(id === undefined ? [] : [eb('redemptions.id', '=', id)])])]),
    ...(filter.status.length === 0
      ? []
      : [kept('status', eb.or(filter.status.map((status) => hasStatus(eb, status, filter.now))))]),
    ...(filter.batchId === '' ? [] : [kept('batch_id', eb('batch_id', '=', filter.batchId))]),
  ])
}

/** The table of redemption codes. */
export const openRedemptionStore = (database: Database): RedemptionStore => {
  const shown = () =>
    database.query
      .selectFrom('redemptions')
      .leftJoin('users as creators', 'creators.id', 'redemptions.user_id')
      .leftJoin('users as redeemers', 'redeemers.id', 'redemptions.used_user_id')
      .selectAll('redemptions')
      .select(['creators.username as creator', 'redeemers.username as used_username'])

  const rowOf = (trx: Transaction<Tables>, id: number) =>
    trx.selectFrom('redemptions').selectAll().where('id', '=', id).executeTakeFirst()

  return {
    find: (filter, { column, descending }, { offset, limit }) =>
      shown()
        .where((eb) => fits(filter)(eb as unknown as Where))
        .orderBy(`redemptions.${column}`, descending ? 'desc' : 'asc')
        .orderBy('redemptions.id', 'desc')
        .limit(limit)
        .offset(offset)
        .execute(),
    async count(filter) {
      const row = await database.query
        .selectFrom('redemptions')
        .select((eb) => eb.fn.countAll().as('rows'))
        .where(fits(filter))
        .executeTakeFirstOrThrow()
      return Number(row.rows)
    },
    countStatus: (filter) =>
      countValues(
        database,
        database.query
          .selectFrom('redemptions')
          .select((eb) =>
            eb
              .case()
              .when(hasStatus(eb, redemptionExpired, filter.now))
              .then(eb.lit(redemptionExpired))
              .else(eb.ref('redemptions.status'))
              .end()
              .as('value'),
          )
          .where(fits({ ...filter, status: [] })),
      ),
    async byIds(ids) {
      const found = await shown()
        .where('redemptions.id', 'in', [...ids])
        .where('redemptions.deleted_at', 'is', null)
        .execute()
      const rows = new Map(found.map((row) => [row.id, row]))
      return ids.flatMap((id) => rows.get(id) ?? [])
    },
    byKeyHash: (hash) =>
      database.query
        .selectFrom('redemptions')
        .selectAll()
        .where('key_hash', '=', hash)
        .where('deleted_at', 'is', null)
        .executeTakeFirst(),
    insert: (trx, row) =>
      insertReturningId(trx, 'redemptions', { ...row, redeemed_time: 0, used_user_id: 0, deleted_at: null }),
    async change(trx, id, change, from) {
      const { numUpdatedRows } = await trx
        .updateTable('redemptions')
        // An update has to name a column, even when nothing is to change.
        .set({ ...change, user_id: sql`user_id` })
        .where('id', '=', id)
        .where('deleted_at', 'is', null)
        .where('status', 'in', [...from])
        .executeTakeFirst()
      return numUpdatedRows === 0n ? undefined : rowOf(trx, id)
    },
    async use(trx, id, { userId, now }) {
      const { numUpdatedRows } = await trx
        .updateTable('redemptions')
        .set({ status: redemptionStatus.used, redeemed_time: now, used_user_id: userId })
        .where('id', '=', id)
        .where('deleted_at', 'is', null)
        .where('status', '=', redemptionStatus.unused)
        .where((eb) => eb.or([eb('expired_time', '=', 0), eb('expired_time', '>', now)]))
        .executeTakeFirst()
      return numUpdatedRows === 0n ? undefined : rowOf(trx, id)
    },
    async remove(trx, id, now) {
      const { numUpdatedRows } = await trx
        .updateTable('redemptions')
        .set({ deleted_at: now })
        .where('id', '=', id)
        .where('deleted_at', 'is', null)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },
    removed: (ids, since) =>
      database.query
        .selectFrom('redemptions')
        .selectAll()
        .where('id', 'in', [...ids])
        .where('deleted_at', '>=', since)
        .execute(),
    async restore(trx, id, since) {
      const { numUpdatedRows } = await trx
        .updateTable('redemptions')
        .set({ deleted_at: null })
        .where('id', '=', id)
        .where('deleted_at', '>=', since)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },
  }
}
