import { type CallbackOutcome, callbackOutcomes, type PaymentCallback } from '@tollgate/contract'
import type { ExpressionBuilder } from 'kysely'
import type { Database } from '../../db/database.ts'
import { containsText, insertReturningId } from '../../db/dialect.ts'
import type { PaymentCallbacksTable, Tables } from '../../db/schema.ts'
import type { Fields } from './epay.ts'

export interface NewCallback {
  readonly at: number
  readonly source: PaymentCallbacksTable['source']
  readonly ip: string
  readonly tradeNo: string
  readonly verified: boolean
  readonly outcome: CallbackOutcome
  readonly parameters: Fields
}

/** Empty parts do not filter. */
export interface CallbackFilter {
  readonly outcomes: readonly string[]
  readonly tradeNo: string
}

export interface CallbackStore {
  insert(callback: NewCallback): Promise<void>
  find(filter: CallbackFilter, slice: { offset: number; limit: number }): Promise<PaymentCallback[]>
  count(filter: CallbackFilter): Promise<number>
  /** Deletes unverified callbacks older than this (unix seconds). */
  forgetUnverified(before: number): Promise<void>
}

const longestTradeNo = 64
const longestValue = 300
const mostParameters = 40
const hidden: ReadonlySet<string> = new Set(['sign', 'key'])

/** Strangers may say anything and as much as they like: kept is what an order could have, and nothing secret. */
const kept = (parameters: Fields): string => {
  const shown = Object.entries(parameters).filter(([name]) => !hidden.has(name.toLowerCase()))
  const cut = shown
    .slice(0, mostParameters)
    .map(([name, value]) => [name.slice(0, longestTradeNo), value.slice(0, longestValue)])
  return JSON.stringify(Object.fromEntries(cut))
}

type Where = ExpressionBuilder<Tables, 'payment_callbacks'>

const fits = (filter: CallbackFilter) => (eb: Where) =>
  eb.and([
    ...(filter.outcomes.length === 0 ? [] : [eb('outcome', 'in', [...filter.outcomes])]),
    ...(filter.tradeNo === '' ? [] : [containsText('payment_callbacks.trade_no', filter.tradeNo)]),
  ])

const outcomeOf = (text: string): CallbackOutcome => callbackOutcomes.find((outcome) => outcome === text) ?? 'failed'

/** Everything that payment gateways said. */
export const openCallbackStore = ({ query }: Pick<Database, 'query'>): CallbackStore => ({
  async insert({ at, source, ip, tradeNo, verified, outcome, parameters }) {
    await insertReturningId(query, 'payment_callbacks', {
      received_time: at,
      source,
      ip,
      trade_no: tradeNo.slice(0, longestTradeNo),
      verified: verified ? 1 : 0,
      outcome,
      parameters: kept(parameters),
    })
  },
  async find(filter, { offset, limit }) {
    const rows = await query
      .selectFrom('payment_callbacks')
      .leftJoin('top_ups', 'top_ups.trade_no', 'payment_callbacks.trade_no')
      .leftJoin('users', 'users.id', 'top_ups.user_id')
      .selectAll('payment_callbacks')
      .select(['top_ups.id as order_id', 'top_ups.user_id', 'users.username'])
      .where((eb) => fits(filter)(eb as unknown as Where))
      .orderBy('payment_callbacks.id', 'desc')
      .limit(limit)
      .offset(offset)
      .execute()
    return rows.map((row) => ({
      ...row,
      order_id: row.order_id ?? 0,
      user_id: row.user_id ?? 0,
      username: row.username ?? '',
      verified: row.verified === 1,
      outcome: outcomeOf(row.outcome),
      parameters: JSON.parse(row.parameters) as Record<string, string>,
    }))
  },
  async count(filter) {
    const row = await query
      .selectFrom('payment_callbacks')
      .select((eb) => eb.fn.countAll().as('rows'))
      .where(fits(filter))
      .executeTakeFirstOrThrow()
    return Number(row.rows)
  },
  async forgetUnverified(before) {
    await query.deleteFrom('payment_callbacks').where('verified', '=', 0).where('received_time', '<', before).execute()
  },
})
