import { longestRedemptionName, mostRedemptions } from '@tollgate/contract'
import { mostQuotaAtOnce } from '@tollgate/contract/sizes'
import { AppError } from '#server/lib/app-error.ts'

/** A name of 1 to 20 characters, trimmed. Throws `redemption_name_length`. */
export const checkedName = (text: string): string => {
  const name = text.trim()
  const length = [...name].length
  if (length < 1 || length > longestRedemptionName) throw new AppError('redemption_name_length')
  return name
}

/** How many codes are made at once. Throws `redemption_count_low` or `redemption_count_high`. */
export const checkedCount = (count: number): number => {
  if (count < 1) throw new AppError('redemption_count_low')
  if (count > mostRedemptions) throw new AppError('redemption_count_high')
  return count
}

/** Checks the value of a code: more than 0. Throws `redemption_quota_low`, or `invalid_parameter` for more than a balance can take. */
export const checkedQuota = (quota: number): number => {
  if (quota < 1) throw new AppError('redemption_quota_low')
  if (quota > mostQuotaAtOnce) throw new AppError('invalid_parameter')
  return quota
}

/** 0 for never, or a moment still to come. Throws `redemption_expiry_past`. */
export const checkedExpiry = (time: number, now: number): number => {
  if (time !== 0 && time <= now) throw new AppError('redemption_expiry_past')
  return time
}
