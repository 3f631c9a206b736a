import type { CallbackOutcome } from '@tollgate/contract'
import { unixSeconds } from '../../lib/clock.ts'
import type { CallbackStore } from './callback-store.ts'
import { type Fields, isSigned } from './epay.ts'
import { gatewayOf } from './gateway.ts'
import type { WalletParts } from './ports.ts'
import type { Settlement } from './settle.ts'

/** Takes what a gateway says; true when it need not say it again. */
export type ReceiveCallback = (fields: Fields, ip: string) => Promise<boolean>

/** After these nothing is left to do for the gateway; anything else it may try again. */
const acknowledged: ReadonlySet<CallbackOutcome> = new Set(['credited', 'already', 'not_paid'])

interface Verdict {
  readonly outcome: CallbackOutcome
  readonly verified: boolean
}

/**
 * The payment callback: believed by its signature only, compared with the order,
 * acknowledged after the commit. Every one is kept for the operator, believed or not.
 */
export const createReceiveCallback = (
  parts: Pick<WalletParts, 'settings' | 'clock' | 'log'>,
  { callbacks, settle }: { callbacks: CallbackStore; settle: Settlement['settle'] },
): ReceiveCallback => {
  const judge = async (fields: Fields): Promise<Verdict> => {
    const gateway = gatewayOf(parts.settings())
    if (gateway === undefined) return { outcome: 'not_configured', verified: false }
    if (!isSigned(fields, gateway.key)) return { outcome: 'bad_signature', verified: false }
    if (fields.pid !== gateway.merchantId) return { outcome: 'wrong_merchant', verified: true }
    if (fields.trade_status !== 'TRADE_SUCCESS') return { outcome: 'not_paid', verified: true }
    const payment = {
      tradeNo: fields.out_trade_no ?? '',
      merchantId: fields.pid,
      money: fields.money ?? '',
      type: fields.type ?? '',
      gatewayTradeNo: fields.trade_no ?? '',
    }
    try {
      return { outcome: await settle(payment), verified: true }
    } catch (error) {
      parts.log.error('payment_not_credited', { trade_no: payment.tradeNo, error })
      return { outcome: 'failed', verified: true }
    }
  }

  return async (fields, ip) => {
    const verdict = await judge(fields)
    const tradeNo = fields.out_trade_no ?? ''
    const row = { at: unixSeconds(parts.clock), source: 'notify', ip, tradeNo, parameters: fields, ...verdict } as const
    // A credit stays even if its callback cannot be stored.
    await callbacks.insert(row).catch((error: unknown) => {
      parts.log.warn('payment_callback_not_stored', { trade_no: tradeNo, outcome: verdict.outcome, error })
    })
    return acknowledged.has(verdict.outcome)
  }
}
