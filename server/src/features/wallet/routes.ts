import {
  checkOrder,
  getTopUpInfo,
  listOrders,
  listOwnOrders,
  listPaymentCallbacks,
  paymentNotify,
  paymentNotifyForm,
  payTopUp,
  quoteTopUp,
} from '@tollgate/contract'
import type { Caller, On } from '../../http/route.ts'
import type { Actor } from './ports.ts'
import type { Wallet } from './wallet.ts'

const actorOf = ({ caller, ip }: { caller: Caller; ip: string }): Actor => ({
  id: caller.id,
  username: caller.username,
  group: caller.group,
  ip,
})

const word = (accepted: boolean): { message: string } => ({ message: accepted ? 'success' : 'fail' })

/** Buying quota, and what gateways say about it. */
export const walletRoutes = (on: On, wallet: Wallet): void => {
  on(getTopUpInfo, (call) => ({ data: wallet.info(actorOf(call)) }))
  on(quoteTopUp, (call) => ({ data: wallet.quote(actorOf(call), call.body.amount) }))
  on(payTopUp, async (call) => {
    const { amount, payment_method } = call.body
    const { form, url } = await wallet.pay(actorOf(call), { amount, method: payment_method })
    return { data: { ...form }, beside: { url } }
  })
  on(paymentNotify, async ({ query, ip }) => word(await wallet.receiveCallback(query, ip)))
  on(paymentNotifyForm, async ({ body, ip }) => word(await wallet.receiveCallback(body, ip)))
  on(listOwnOrders, async (call) => ({ data: await wallet.ownOrders(actorOf(call), call.query) }))
  on(listOrders, async ({ query }) => ({ data: await wallet.orders(query) }))
  on(listPaymentCallbacks, async ({ query }) => ({ data: await wallet.callbacks(query) }))
  on(checkOrder, async (call) => ({ data: await wallet.check(actorOf(call), call.params.id) }))
}
