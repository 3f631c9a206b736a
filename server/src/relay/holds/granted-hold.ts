import { type AmountStyle, bareAmountText } from '../../billing/amounts/amount-text.ts'
import { AppError } from '../../lib/app-error.ts'
import type { Caller, Hold, HoldAnswer, HoldRequest, RelayOptions } from '../ports.ts'

/** Accounts that pay for a call of this caller. */
export const payerOf = ({
  userId,
  tokenId,
  tokenUnlimited,
  caps,
}: Caller): Pick<HoldRequest, 'userId' | 'tokenId' | 'tokenUnlimited' | 'caps'> => ({
  userId,
  tokenId,
  tokenUnlimited,
  ...(caps && { caps }),
})

/** Bounds of a hold for a free call: no debt is too large for it. Quota units. */
export const withoutBalance = { spare: -(2 ** 50), more: true } as const

/** Bounds of a hold for nothing where free calls need no balance; `otherwise` for all others. */
export const freeBounds = <Bounds extends object>(
  isFree: boolean,
  { freeWithoutBalance }: Pick<RelayOptions, 'freeWithoutBalance'>,
  otherwise: Bounds,
): Bounds | typeof withoutBalance => (isFree && freeWithoutBalance === true ? withoutBalance : otherwise)

/**
 * Error for a refused hold, with amounts as the site shows them. An overdrawn key gets the same error as in the check of the key; at
 * zero, other calls may only hold the rest of it.
 */
export const refusedHold = (
  answer: Extract<HoldAnswer, { kind: 'refused' }>,
  style: AmountStyle,
  keyHint?: string,
): AppError => {
  if (answer.account === 'token' && answer.remain < 0 && keyHint !== undefined) {
    return new AppError('token_spent', { params: { hint: keyHint, remain: answer.remain } })
  }
  const [remain, need] = [bareAmountText(answer.remain, style), bareAmountText(answer.need, style)]
  if (answer.account === 'token') return new AppError('pre_consume_token_quota_failed', { params: { remain, need } })
  if (answer.cap !== undefined)
    return new AppError('spend_cap_reached', { params: { whose: answer.cap.of, remain, need } })
  const detail =
    answer.remain <= 0
      ? 'user quota is not enough'
      : `chat pre-consumed quota failed, user quota: ${remain}, need quota: ${need}`
  return new AppError('insufficient_user_quota', { params: { detail }, details: { remain, need } })
}

/** The hold of an answer. Throws AppError when it was refused. */
export const grantedHold = (answer: HoldAnswer, style: AmountStyle, keyHint?: string): Hold => {
  if (answer.kind === 'refused') throw refusedHold(answer, style, keyHint)
  return answer.hold
}
