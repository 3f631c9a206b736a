import type { CallbackOutcome } from '@tollgate/contract'
import { z } from 'zod'
import type { Actor } from '../../http/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import { unixSeconds } from '../../lib/clock.ts'
import type { CallbackStore } from './callback-store.ts'
import { type Fields, gatewayUrl } from './epay.ts'
import { gatewayOf, type PaymentGateway } from './gateway.ts'
import type { OrderRow, OrderStore } from './order-store.ts'
import type { WalletParts } from './ports.ts'
import type { Settlement } from './settle.ts'

/** Asks the gateway about an order and credits it when it is paid. Throws an AppError that says why nothing was credited. */
export type CheckOrder = (actor: Actor, id: number) => Promise<void>

const word = z.union([z.string(), z.number()]).transform(String)
const gatewayOrder = z.looseObject({
  code: word,
  msg: z.string().nullish(),
  trade_no: word.nullish(),
  out_trade_no: word.nullish(),
  type: word.nullish(),
  pid: word.nullish(),
  money: word.nullish(),
  status: word.nullish(),
})
type GatewayOrder = z.output<typeof gatewayOrder>

/** The order query of the protocol: `api.php?act=order`. It wants the key itself, so the address is never logged. */
const queryUrl = ({ address, merchantId, key }: PaymentGateway, tradeNo: string): string => {
  const url = gatewayUrl(address, 'api.php')
  for (const [name, value] of Object.entries({ act: 'order', pid: merchantId, key, out_trade_no: tradeNo }))
    url.searchParams.set(name, value)
  return url.href
}

const foundCode = '1'
const paid = '1'

interface CheckResult {
  readonly outcome: CallbackOutcome
  readonly parameters: Fields
}

const fieldsOf = (parameters: GatewayOrder): Fields =>
  Object.fromEntries(
    Object.entries(parameters).flatMap(([name, value]) =>
      typeof value === 'string' || typeof value === 'number' ? [[name, String(value)]] : [],
    ),
  )

const refusals: Partial<Record<CallbackOutcome, (parameters: Fields) => AppError>> = {
  not_paid: () => new AppError('topup_order_unpaid'),
  not_configured: () => new AppError('topup_not_configured'),
  unreachable: () => new AppError('topup_gateway_unreachable'),
  refused: ({ msg = '' }) => new AppError('topup_gateway_refused', { params: { reason: msg.slice(0, 200) } }),
  wrong_merchant: () => new AppError('topup_order_mismatch'),
  wrong_amount: () => new AppError('topup_order_mismatch'),
  unknown_order: () => new AppError('topup_order_mismatch'),
}

/** For orders whose callback never came. */
export const createCheckOrder = (
  parts: Pick<WalletParts, 'settings' | 'askGateway' | 'audit' | 'clock'>,
  { orders, callbacks, settle }: { orders: OrderStore; callbacks: CallbackStore; settle: Settlement['settle'] },
): CheckOrder => {
  const queryGateway = async (gateway: PaymentGateway, tradeNo: string): Promise<GatewayOrder | undefined> => {
    try {
      return gatewayOrder.parse(JSON.parse(await parts.askGateway(queryUrl(gateway, tradeNo))))
    } catch {
      return undefined
    }
  }

  const ask = async (order: OrderRow): Promise<CheckResult> => {
    const gateway = gatewayOf(parts.settings())
    if (gateway === undefined) return { outcome: 'not_configured', parameters: {} }
    const answer = await queryGateway(gateway, order.trade_no)
    if (answer === undefined) return { outcome: 'unreachable', parameters: {} }
    const parameters = fieldsOf(answer)
    if (answer.code !== foundCode) return { outcome: 'refused', parameters }
    if (answer.out_trade_no !== order.trade_no) return { outcome: 'unknown_order', parameters }
    if (answer.status !== paid) return { outcome: 'not_paid', parameters }
    const payment = {
      tradeNo: order.trade_no,
      // Some gateways omit the merchant number; the query used the merchant's key, so the order is this merchant's.
      merchantId: answer.pid ?? gateway.merchantId,
      money: answer.money ?? '',
      type: answer.type ?? '',
      gatewayTradeNo: answer.trade_no ?? '',
    }
    return { outcome: await settle(payment), parameters }
  }

  return async (actor, id) => {
    const order = await orders.byId(id)
    if (order === undefined) throw new AppError('not_found')
    const { outcome, parameters } =
      order.status === 'success' ? { outcome: 'already' as const, parameters: {} } : await ask(order)
    const row = {
      at: unixSeconds(parts.clock),
      source: 'check',
      ip: '',
      tradeNo: order.trade_no,
      verified: true,
    } as const
    await callbacks.insert({ ...row, outcome, parameters })
    await parts.audit.record({
      actor: { id: actor.id, username: actor.username },
      action: 'topup.check',
      object: 'topup',
      objectId: id,
      after: { outcome, user_id: order.user_id, money: order.money },
      ip: actor.ip,
    })
    const refusal = refusals[outcome]?.(parameters)
    if (refusal !== undefined) throw refusal
  }
}
