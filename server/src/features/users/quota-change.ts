import type { BodyOf, updateUser } from '@tollgate/contract'
import type { UserRow } from '../../db/schema.ts'
import { AppError } from '../../lib/app-error.ts'

export interface QuotaChange {
  /** Signed quota units to add; 0 leaves the balance alone. */
  readonly amount: number
  /** The balance that is aimed at instead, where nothing tells what it was reckoned from. */
  readonly setTo?: number
}

type Asked = Pick<BodyOf<typeof updateUser>, 'quota' | 'quota_delta' | 'used_quota'>

/**
 * Change of the balance that an edit asks for. A client that sends a whole user back gives `quota` and `used_quota` as it read them:
 * charges move both by the same amount, so the difference of their sums is the requested change, and spending since then is not
 * restored. Throws AppError('invalid_parameter').
 */
export const quotaChange = (
  row: Pick<UserRow, 'quota' | 'used_quota'>,
  { quota, quota_delta, used_quota }: Asked,
): QuotaChange => {
  if (quota !== undefined && quota_delta !== undefined) throw new AppError('invalid_parameter')
  if (quota === undefined) {
    if (!Number.isSafeInteger(row.quota + (quota_delta ?? 0))) throw new AppError('invalid_parameter')
    return { amount: quota_delta ?? 0 }
  }
  const amount = quota - row.quota + (used_quota === undefined ? 0 : used_quota - row.used_quota)
  if (!Number.isSafeInteger(amount) || (amount !== 0 && quota < 0)) throw new AppError('invalid_parameter')
  return used_quota === undefined ? { amount, setTo: quota } : { amount }
}
