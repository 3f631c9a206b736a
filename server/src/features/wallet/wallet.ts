import type {
  listOrders,
  listOwnOrders,
  listPaymentCallbacks,
  Page,
  PaymentCallback,
  QueryOf,
  TopUpOrder,
} from '@tollgate/contract'
import type { Actor } from '../../http/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import { unixSeconds } from '../../lib/clock.ts'
import { type Buying, createBuying } from './buying.ts'
import { openCallbackStore } from './callback-store.ts'
import { createCheckOrder } from './check.ts'
import { createCompleteOrder } from './complete.ts'
import { createReceiveCallback, type ReceiveCallback } from './notify.ts'
import { type OrderFilter, openOrderStore } from './order-store.ts'
import type { WalletParts } from './ports.ts'
import { createSettle } from './settle.ts'

export interface Wallet extends Buying {
  readonly receiveCallback: ReceiveCallback
  ownOrders(actor: Actor, query: QueryOf<typeof listOwnOrders>): Promise<Page<TopUpOrder>>
  orders(query: QueryOf<typeof listOrders>): Promise<Page<TopUpOrder>>
  callbacks(query: QueryOf<typeof listPaymentCallbacks>): Promise<Page<PaymentCallback>>
  /** Asks the gateway about an order again; answers it as it is now. */
  check(actor: Actor, id: number): Promise<TopUpOrder>
  /** Credits an order by hand; answers it as it is now. */
  complete(actor: Actor, order: { id: number; reason: string }): Promise<TopUpOrder>
  /** Deletes old unverified callbacks. */
  purge(): Promise<void>
}

/** Gateways let orders expire within an hour. */
const orderSeconds = 2 * 3600
const unverifiedKeptSeconds = 30 * 86_400

/** Buying quota online. */
export const openWallet = (parts: WalletParts): Wallet => {
  const orders = openOrderStore(parts.database)
  const callbacks = openCallbackStore(parts.database)
  const { settle, complete } = createSettle(parts, orders)
  const checkOrder = createCheckOrder(parts, { orders, callbacks, settle })
  const completeOrder = createCompleteOrder(parts, { orders, complete })
  const expiredBefore = (): number => unixSeconds(parts.clock) - orderSeconds

  const shown = async (id: number): Promise<TopUpOrder> => {
    const order = await orders.shown(id, expiredBefore())
    if (order === undefined) throw new AppError('not_found')
    return order
  }

  const page = async (filter: OrderFilter, { p, page_size }: { p: number; page_size: number }) => {
    const slice = { offset: (p - 1) * page_size, limit: page_size }
    const [items, total] = await Promise.all([orders.find(filter, slice), orders.count(filter)])
    return { items, total, page: p, page_size }
  }

  return {
    ...createBuying(parts, orders),
    receiveCallback: createReceiveCallback(parts, { callbacks, settle }),
    ownOrders: (actor, query) =>
      page(
        { userId: actor.id, status: query.status, tradeNo: query.trade_no.trim(), expiredBefore: expiredBefore() },
        query,
      ),
    orders: (query) => {
      const { status, payment_method: methods, username, trade_no } = query
      const named = { username: username.trim(), tradeNo: trade_no.trim() }
      return page({ ...named, status, methods, expiredBefore: expiredBefore() }, query)
    },
    async callbacks({ p, page_size, outcome, trade_no }) {
      const filter = { outcomes: outcome, tradeNo: trade_no.trim() }
      const slice = { offset: (p - 1) * page_size, limit: page_size }
      const [items, total] = await Promise.all([callbacks.find(filter, slice), callbacks.count(filter)])
      return { items, total, page: p, page_size }
    },
    async check(actor, id) {
      await checkOrder(actor, id)
      return shown(id)
    },
    async complete(actor, order) {
      await completeOrder(actor, order)
      return shown(order.id)
    },
    purge: () => callbacks.forgetUnverified(unixSeconds(parts.clock) - unverifiedKeptSeconds),
  }
}
