import type { Transaction } from 'kysely'
import type { Tables } from '../../db/schema.ts'
import type { Actor } from '../../http/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import type { OrderStore } from './order-store.ts'
import type { WalletParts } from './ports.ts'
import type { Settlement } from './settle.ts'

/** Credits an order by hand. Throws `not_found`, or `topup_order_completed` for an order that is paid. */
export type CompleteOrder = (actor: Actor, order: { readonly id: number; readonly reason: string }) => Promise<void>

/** For payments that the gateway can neither report nor confirm. The audit keeps who did it and why. */
export const createCompleteOrder =
  (
    parts: Pick<WalletParts, 'audit'>,
    { orders, complete }: { orders: OrderStore; complete: Settlement['complete'] },
  ): CompleteOrder =>
  async (actor, { id, reason }) => {
    const order = await orders.byId(id)
    if (order === undefined) throw new AppError('not_found')
    const trace = {
      actor: { id: actor.id, username: actor.username },
      action: 'topup.complete',
      object: 'topup',
      objectId: id,
      after: { reason, user_id: order.user_id, trade_no: order.trade_no, money: order.money, quota: order.quota },
      ip: actor.ip,
    } as const
    const by = { userId: actor.id, reason, record: (trx: Transaction<Tables>) => parts.audit.record(trace, trx) }
    if (!(await complete(order, by))) throw new AppError('topup_order_completed')
  }
