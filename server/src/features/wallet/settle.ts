import type { CallbackOutcome } from '@tollgate/contract'
import type { Transaction } from 'kysely'
import { compare, decimal } from '../../billing/decimal.ts'
import type { Tables } from '../../db/schema.ts'
import { unixSeconds } from '../../lib/clock.ts'
import { methodOfType } from './buying.ts'
import type { OrderRow, OrderStore } from './order-store.ts'
import type { WalletParts } from './ports.ts'

/** A payment that a verified gateway reported. */
interface Payment {
  readonly tradeNo: string
  readonly merchantId: string
  readonly money: string
  /** The gateway's type of the method that was paid with, which payers may change on its page; empty when unknown. */
  readonly type: string
  readonly gatewayTradeNo: string
}

export interface CompletedBy {
  readonly userId: number
  readonly reason: string
  /** Writes the audit in the transaction that credits. */
  record(trx: Transaction<Tables>): Promise<void>
}

export interface Settlement {
  /** Credits a payment that merchant, amount and signature prove, whatever method was used. */
  settle(payment: Payment): Promise<CallbackOutcome>
  /** Credits an order without a word of the gateway; false when it was credited before. */
  complete(order: OrderRow, by: CompletedBy): Promise<boolean>
}

/** Another call was faster. */
class PaidAlready extends Error {}

const sameMoney = (paidAmount: string, wanted: string): boolean => {
  try {
    return compare(decimal(paidAmount), decimal(wanted)) === 0
  } catch {
    return false
  }
}

/** Why a payment is not the one that the order waits for; undefined when it is. */
const mismatch = (order: OrderRow, payment: Payment, merchantId: string): CallbackOutcome | undefined => {
  if (payment.merchantId !== (order.merchant_id ?? merchantId)) return 'wrong_merchant'
  return sameMoney(payment.money, order.money) ? undefined : 'wrong_amount'
}

/**
 * Credits a payment: the order becomes paid and the balance grows in one transaction, once, whoever else hears of the same
 * payment at the same moment.
 */
export const createSettle = (
  parts: Pick<WalletParts, 'database' | 'ledger' | 'settings' | 'writeEvent' | 'clock'>,
  orders: OrderStore,
): Settlement => {
  const credit = async (
    order: OrderRow,
    paid: { gatewayTradeNo: string; method?: string },
    by?: CompletedBy,
  ): Promise<boolean> => {
    const at = unixSeconds(parts.clock)
    const detail = {
      trade_no: order.trade_no,
      money: order.money,
      ...(by && { completed_by: by.userId, why: by.reason }),
    }
    const entry = { account: 'user', accountId: order.user_id, amount: order.quota, reason: 'topup', detail } as const
    try {
      return await parts.ledger.move({
        id: `topup:${order.id}`,
        gives: [entry],
        async guard(trx) {
          const first = await orders.markPaid(trx, order.id, { at, ...paid })
          if (!first) throw new PaidAlready()
          await by?.record(trx)
        },
      })
    } catch (error) {
      if (error instanceof PaidAlready) return false
      throw error
    }
  }

  const notify = async ({ user_id, quota, money }: OrderRow): Promise<void> => {
    const named = parts.database.query.selectFrom('users').select('username').where('id', '=', user_id)
    const username = (await named.executeTakeFirst())?.username ?? ''
    const text = { code: 'topped_up', params: { amount: quota, money: Number(money) } } as const
    await parts.writeEvent({ userId: user_id, username, text })
  }

  return {
    async settle(payment) {
      const order = await orders.byTradeNo(payment.tradeNo)
      if (order === undefined) return 'unknown_order'
      const wrong = mismatch(order, payment, parts.settings().EpayId)
      if (wrong !== undefined) return wrong
      const paid = { gatewayTradeNo: payment.gatewayTradeNo, method: methodOfType(payment.type) }
      if (order.status !== 'pending' || !(await credit(order, paid))) return 'already'
      await notify(order)
      return 'credited'
    },
    async complete(order, by) {
      if (order.status !== 'pending' || !(await credit(order, { gatewayTradeNo: '' }, by))) return false
      await notify(order)
      return true
    },
  }
}
