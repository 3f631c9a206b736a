import type { CallbackOutcome } from '@tollgate/contract'
import { compare, decimal } from '../../billing/decimal.ts'
import { unixSeconds } from '../../lib/clock.ts'
import { gatewayType } from './epay.ts'
import type { OrderRow, OrderStore } from './order-store.ts'
import type { WalletParts } from './ports.ts'

/** A payment that a verified gateway reported. */
export interface Payment {
  readonly tradeNo: string
  readonly merchantId: string
  readonly money: string
  readonly type: string
  readonly gatewayTradeNo: string
}

export type Settle = (payment: Payment) => Promise<CallbackOutcome>

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
  if (!sameMoney(payment.money, order.money)) return 'wrong_amount'
  return payment.type === gatewayType(order.payment_method ?? '') ? undefined : 'wrong_type'
}

/**
 * Credits a payment: the order becomes paid and the balance grows in one transaction, once, whoever else hears of the same
 * payment at the same moment.
 */
export const createSettle = (
  parts: Pick<WalletParts, 'database' | 'ledger' | 'settings' | 'writeEvent' | 'clock'>,
  orders: OrderStore,
): Settle => {
  const credit = async (order: OrderRow, payment: Payment): Promise<boolean> => {
    const at = unixSeconds(parts.clock)
    const detail = { trade_no: order.trade_no, money: order.money }
    const entry = { account: 'user', accountId: order.user_id, amount: order.quota, reason: 'topup', detail } as const
    try {
      return await parts.ledger.move({
        id: `topup:${order.id}`,
        gives: [entry],
        async guard(trx) {
          const first = await orders.markPaid(trx, order.id, { at, gatewayTradeNo: payment.gatewayTradeNo })
          if (!first) throw new PaidAlready()
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

  return async (payment) => {
    const order = await orders.byTradeNo(payment.tradeNo)
    if (order === undefined) return 'unknown_order'
    const wrong = mismatch(order, payment, parts.settings().EpayId)
    if (wrong !== undefined) return wrong
    if (order.status !== 'pending' || !(await credit(order, payment))) return 'already'
    await notify(order)
    return 'credited'
  }
}
