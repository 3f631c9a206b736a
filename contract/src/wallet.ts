import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { idParams, pageOf, pageQuery, wordList } from './page.ts'

/** An order is `expired` when it was not paid for two hours; a payment that comes later still counts. */
export const orderStates = ['pending', 'success', 'expired'] as const

/** Short names that orders and API clients use for Alipay and WeChat Pay; other methods have the gateway's type as their name. */
export const gatewayTypes: Readonly<Record<string, string>> = { zfb: 'alipay', wx: 'wxpay' }

export const topUpOrder = z.object({
  id: z.int(),
  user_id: z.int(),
  username: z.string(),
  trade_no: z.string(),
  /** The order's number at the gateway; empty until it is paid. */
  gateway_trade_no: z.string(),
  /** Whole units of currency. */
  amount: z.int(),
  /** Quota units that the payment adds. */
  quota: z.int(),
  /** The amount charged, two decimals. */
  money: z.string(),
  payment_method: z.string(),
  create_time: z.int(),
  /** 0 until it is paid. */
  complete_time: z.int(),
  status: z.enum(orderStates),
})
export type TopUpOrder = z.output<typeof topUpOrder>

const wanted = {
  /** Units of currency, or quota units where the site does not show currency. */
  amount: z.int(),
  /** Accepted for existing API clients; has no effect. */
  top_up_code: z.string().nullish(),
}

export const quoteTopUp = endpoint({
  method: 'POST',
  path: '/api/user/amount',
  access: 'user',
  changes: false,
  answers: 'message',
  summary: 'What an amount costs, as text with two decimals',
  body: z.object(wanted),
  data: z.string(),
})

export const payTopUp = endpoint({
  method: 'POST',
  path: '/api/user/pay',
  access: 'user',
  answers: 'message',
  summary: 'Makes an order; the answer holds the form to post to `url`',
  body: z.object({ ...wanted, payment_method: z.string().default('') }),
  data: z.record(z.string(), z.string()),
  beside: z.object({ url: z.string() }),
})

export const topUpInfo = z.object({
  /** True if online top-up is set up. */
  online: z.boolean(),
  /** The smallest amount, in the unit of `amount`. */
  least: z.int(),
  /** Common amounts in ascending order, each with its price. */
  presets: z.array(z.object({ amount: z.int(), quota: z.int(), money: z.string() })),
  /** The methods to choose from: `type` is what `payment_method` of an order says. */
  methods: z.array(z.object({ type: z.string(), name: z.string(), color: z.string() })),
})
export type TopUpInfo = z.output<typeof topUpInfo>

export const getTopUpInfo = endpoint({
  method: 'GET',
  path: '/api/user/topup/info',
  access: 'user',
  summary: 'Whether and from which amount one can pay online, and what common amounts cost oneself',
  data: topUpInfo,
})

export const listOwnOrders = endpoint({
  method: 'GET',
  path: '/api/user/topup/self',
  access: 'user',
  summary: 'Own orders of online top-ups, newest first',
  query: z.object({ ...pageQuery, status: wordList, trade_no: z.string().default('') }),
  data: pageOf(topUpOrder),
})

export const listOrders = endpoint({
  method: 'GET',
  path: '/api/user/topup',
  access: 'admin',
  summary: 'Orders of online top-ups of all users, newest first',
  query: z.object({
    ...pageQuery,
    status: wordList,
    payment_method: wordList,
    trade_no: z.string().default(''),
    username: z.string().default(''),
  }),
  data: pageOf(topUpOrder),
})

/** The result of a gateway's notification. Only `credited` moved money. */
export const callbackOutcomes = [
  'credited',
  'already',
  'not_paid',
  'bad_signature',
  'not_configured',
  'wrong_merchant',
  'unknown_order',
  'wrong_amount',
  'wrong_type',
  'unreachable',
  'refused',
  'failed',
] as const
export type CallbackOutcome = (typeof callbackOutcomes)[number]

export const paymentCallback = z.object({
  id: z.int(),
  received_time: z.int(),
  /** `notify`: the gateway sent it. `check`: an administrator asked the gateway. */
  source: z.enum(['notify', 'check']),
  /** The address that sent the notification; empty for a check. */
  ip: z.string(),
  trade_no: z.string(),
  /** 0 and empty when no order has this number. */
  order_id: z.int(),
  user_id: z.int(),
  username: z.string(),
  /** True if the signature was valid, or if the server asked the gateway itself. */
  verified: z.boolean(),
  outcome: z.enum(callbackOutcomes),
  /** The parameters of the notification, without the signature. */
  parameters: z.record(z.string(), z.string()),
})
export type PaymentCallback = z.output<typeof paymentCallback>

export const listPaymentCallbacks = endpoint({
  method: 'GET',
  path: '/api/user/topup/callbacks',
  access: 'admin',
  summary: 'Everything that payment gateways said, believed or not, newest first',
  query: z.object({ ...pageQuery, outcome: wordList, trade_no: z.string().default('') }),
  data: pageOf(paymentCallback),
})

export const checkOrder = endpoint({
  method: 'POST',
  path: '/api/user/topup/:id/check',
  access: 'admin',
  summary: 'Asks the gateway about an order again, and credits it when it is paid',
  params: idParams,
  data: topUpOrder,
})

export const completeOrder = endpoint({
  method: 'POST',
  path: '/api/user/topup/:id/complete',
  access: 'root',
  summary:
    'Credits an order by hand, once, for a payment that the gateway cannot report; the reason is kept in the audit',
  params: idParams,
  body: z.object({ reason: z.string().trim().min(1).max(500) }),
  data: topUpOrder,
})

const notification = z.record(z.string(), z.string())

/** Changes something although it is a GET: that is how gateways notify. */
export const paymentNotify = endpoint({
  method: 'GET',
  path: '/api/user/epay/notify',
  access: 'visitor',
  changes: true,
  answers: 'text',
  summary: 'What the payment gateway tells about an order',
  query: notification,
})

export const paymentNotifyForm = endpoint({
  method: 'POST',
  path: '/api/user/epay/notify',
  access: 'visitor',
  answers: 'text',
  form: true,
  summary: 'The same, in a form',
  body: notification,
})
