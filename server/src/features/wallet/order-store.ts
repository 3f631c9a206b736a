import type { TopUpOrder } from '@tollgate/contract'
import type { ExpressionBuilder, Selectable, Transaction } from 'kysely'
import type { Database } from '../../db/database.ts'
import { containsText, insertReturningId } from '../../db/dialect.ts'
import type { Tables, TopUpsTable } from '../../db/schema.ts'

export type OrderRow = Selectable<TopUpsTable>
export type NewOrder = Omit<OrderRow, 'id' | 'status' | 'gateway_trade_no' | 'complete_time'>

/** Which orders are meant; empty parts do not filter. */
export interface OrderFilter {
  readonly id?: number
  readonly userId?: number
  readonly username?: string
  readonly status: readonly string[]
  readonly methods?: readonly string[]
  readonly tradeNo: string
  /** Unix seconds: pending orders made before count as expired. */
  readonly expiredBefore: number
}

/** How an order was paid. */
export interface PaidBy {
  /** Unix seconds. */
  readonly at: number
  readonly gatewayTradeNo: string
  /** The method that the payer took in the end; the chosen one stays when the gateway names none. */
  readonly method?: string
}

export interface OrderStore {
  find(filter: OrderFilter, slice: { offset: number; limit: number }): Promise<TopUpOrder[]>
  count(filter: OrderFilter): Promise<number>
  byId(id: number): Promise<OrderRow | undefined>
  /** One order as the API shows it. */
  shown(id: number, expiredBefore: number): Promise<TopUpOrder | undefined>
  byTradeNo(tradeNo: string): Promise<OrderRow | undefined>
  /** Fails on a number that exists already. */
  insert(row: NewOrder): Promise<number>
  /** Makes a pending order paid; false for everybody but the first. */
  markPaid(trx: Transaction<Tables>, id: number, paid: PaidBy): Promise<boolean>
}

type Where = ExpressionBuilder<Tables, 'top_ups' | 'users'>

const hasStatus = (eb: Where, status: string, expiredBefore: number) => {
  if (status === 'success') return eb('top_ups.status', '=', 'success')
  const waited = eb('create_time', status === 'expired' ? '<' : '>=', expiredBefore)
  return eb.and([eb('top_ups.status', '=', 'pending'), waited])
}

const fits = (filter: OrderFilter) => (eb: Where) =>
  eb.and([
    ...(filter.id === undefined ? [] : [eb('top_ups.id', '=', filter.id)]),
    ...(filter.userId === undefined ? [] : [eb('user_id', '=', filter.userId)]),
    ...(filter.username ? [containsText('users.username', filter.username)] : []),
    ...(filter.tradeNo ? [containsText('trade_no', filter.tradeNo)] : []),
    ...(filter.methods?.length ? [eb('payment_method', 'in', [...filter.methods])] : []),
    ...(filter.status.length === 0
      ? []
      : [eb.or(filter.status.map((status) => hasStatus(eb, status, filter.expiredBefore)))]),
  ])

const statusOf = (row: OrderRow, expiredBefore: number): TopUpOrder['status'] => {
  if (row.status === 'success') return 'success'
  return row.create_time < expiredBefore ? 'expired' : 'pending'
}

const shown = (row: OrderRow & { username: string | null }, expiredBefore: number): TopUpOrder => {
  const { merchant_id: _merchant, ...fields } = row
  return {
    ...fields,
    username: row.username ?? '',
    payment_method: row.payment_method ?? '',
    gateway_trade_no: row.gateway_trade_no ?? '',
    status: statusOf(row, expiredBefore),
  }
}

/** The table of online top-ups. */
export const openOrderStore = (database: Database): OrderStore => {
  const { query } = database
  const orders = (filter: OrderFilter) =>
    query
      .selectFrom('top_ups')
      .leftJoin('users', 'users.id', 'top_ups.user_id')
      .where((eb) => fits(filter)(eb as Where))
  const one = () => query.selectFrom('top_ups').selectAll()

  const find: OrderStore['find'] = async (filter, { offset, limit }) => {
    const rows = await orders(filter)
      .selectAll('top_ups')
      .select('users.username')
      .orderBy('top_ups.id', 'desc')
      .limit(limit)
      .offset(offset)
      .execute()
    return rows.map((row) => shown(row, filter.expiredBefore))
  }

  return {
    find,
    async count(filter) {
      const row = await orders(filter)
        .select((eb) => eb.fn.countAll().as('rows'))
        .executeTakeFirstOrThrow()
      return Number(row.rows)
    },
    byId: (id) => one().where('id', '=', id).executeTakeFirst(),
    shown: async (id, expiredBefore) =>
      (await find({ id, status: [], tradeNo: '', expiredBefore }, { offset: 0, limit: 1 }))[0],
    byTradeNo: (tradeNo) => one().where('trade_no', '=', tradeNo).executeTakeFirst(),
    insert: (row) => insertReturningId(query, 'top_ups', { ...row, status: 'pending' }),
    async markPaid(trx, id, { at, gatewayTradeNo, method }) {
      const { numUpdatedRows } = await trx
        .updateTable('top_ups')
        .set({
          status: 'success',
          complete_time: at,
          gateway_trade_no: gatewayTradeNo.slice(0, 64),
          ...(method === undefined || method === '' ? {} : { payment_method: method }),
        })
        .where('id', '=', id)
        .where('status', '=', 'pending')
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },
  }
}
