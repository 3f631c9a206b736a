import {
  checkOrder,
  completeOrder,
  getTopUpInfo,
  listOrders,
  listOwnOrders,
  listPaymentCallbacks,
  paymentNotify,
  paymentNotifyForm,
  payTopUp,
  quoteTopUp,
} from '@tollgate/contract'
import { actorOf } from '../../http/actor.ts'
import type { ConsoleCaller, On } from '../../http/route.ts'
import type { Payer } from './ports.ts'
import type { Wallet } from './wallet.ts'

const payerOf = (call: { readonly caller: ConsoleCaller; readonly ip: string }): Payer => ({
  ...actorOf(call),
  group: call.caller.group,
})

const word = (accepted: boolean): { message: string } => ({ message: accepted ? 'success' : 'fail' })

/** Buying quota, and what gateways say about it. */
export const walletRoutes = (on: On, wallet: Wallet): void => {
  on(getTopUpInfo, (call) => ({ data: wallet.info(payerOf(call)) }))
  on(quoteTopUp, (call) => ({ data: wallet.quote(payerOf(call), call.body.amount) }))
  on(payTopUp, async (call) => {
    const { amount, payment_method } = call.body
    const { form, url } = await wallet.pay(payerOf(call), { amount, method: payment_method })
    return { data: { ...form }, beside: { url } }
  })
  on(paymentNotify, async ({ query, ip }) => word(await wallet.receiveCallback(query, ip)))
  on(paymentNotifyForm, async ({ body, ip }) => word(await wallet.receiveCallback(body, ip)))
  on(listOwnOrders, async (call) => ({ data: await wallet.ownOrders(payerOf(call), call.query) }))
  on(listOrders, async ({ query }) => ({ data: await wallet.orders(query) }))
  on(listPaymentCallbacks, async ({ query }) => ({ data: await wallet.callbacks(query) }))
  on(checkOrder, async (call) => ({ data: await wallet.check(payerOf(call), call.params.id) }))
  on(completeOrder, async (call) => ({
    data: await wallet.complete(payerOf(call), { id: call.params.id, reason: call.body.reason }),
  }))
}
