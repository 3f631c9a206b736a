import type { Generated } from 'kysely'
import type { Flag, Id, Time } from './columns.ts'

export interface RedemptionsTable {
  id: Id
  user_id: number
  key_hash: string
  key_cipher: string
  status: number
  name: string
  quota: number
  created_time: Time
  redeemed_time: Time
  used_user_id: number
  deleted_at: Time | null
  /** 0 when it never expires. */
  expired_time: Generated<Time>
  /** The same for all codes made at once; null for codes of older databases. */
  batch_id: string | null
}

export interface TopUpsTable {
  id: Id
  user_id: number
  amount: number
  /** Decimal text, two places. */
  money: string
  trade_no: string
  create_time: Time
  status: string
  /** Quota units that the payment adds. */
  quota: Generated<number>
  /** `zfb` (Alipay), `wx` (WeChat Pay) or the type of another method; null in orders of older databases. */
  payment_method: string | null
  /** Payee, by the gateway's id. */
  merchant_id: string | null
  gateway_trade_no: string | null
  /** 0 until it is paid. */
  complete_time: Generated<Time>
}

/** Callbacks of payment gateways, verified or not. */
export interface PaymentCallbacksTable {
  id: Id
  received_time: Time
  source: 'notify' | 'check'
  ip: string
  /** The order number as the callback stated it, cut to 64 characters. */
  trade_no: string
  verified: Flag
  outcome: string
  /** JSON of the notice, without the signature. */
  parameters: string
}

/** Redemption codes and payments. */
export interface PaymentTables {
  redemptions: RedemptionsTable
  top_ups: TopUpsTable
  payment_callbacks: PaymentCallbacksTable
}
