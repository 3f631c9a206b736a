import { type AmountStyle, bareAmountText } from '../billing/amount-text.ts'
import { AppError } from '../lib/app-error.ts'
import type { Hold, HoldAnswer } from './ports.ts'

/** Why a call cannot be paid for; amounts are told as the site shows them (relay reference §3.1). */
export const refusedHold = (answer: Extract<HoldAnswer, { kind: 'refused' }>, style: AmountStyle): AppError => {
  const [remain, need] = [bareAmountText(answer.remain, style), bareAmountText(answer.need, style)]
  if (answer.account === 'token') return new AppError('pre_consume_token_quota_failed', { params: { remain, need } })
  const detail =
    answer.remain <= 0
      ? 'user quota is not enough'
      : `chat pre-consumed quota failed, user quota: ${remain}, need quota: ${need}`
  return new AppError('insufficient_user_quota', { params: { detail }, details: { remain, need } })
}

/** Throws AppError when it was refused. */
export const grantedHold = (answer: HoldAnswer, style: AmountStyle): Hold => {
  if (answer.kind === 'refused') throw refusedHold(answer, style)
  return answer.hold
}
