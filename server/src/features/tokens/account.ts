import { neverExpires } from '@tollgate/contract'
import type { Database } from '../../db/database.ts'
import { AppError } from '../../lib/app-error.ts'

interface AccountParts {
  readonly database: Database
  options(): {
    /** Amounts of the key instead of its owner's. */
    readonly DisplayTokenStatEnabled: boolean
    readonly DisplayInCurrencyEnabled: boolean
    readonly QuotaPerUnit: number
  }
}

/** Amounts in quota units, or in the currency where the operator shows that. */
export interface TokenAccount {
  readonly remaining: number
  readonly used: number
  /** Unix seconds; 0 for never. */
  readonly accessUntil: number
  readonly unlimited: boolean
}

const gone = (): never => {
  throw new AppError('not_found')
}

/** Balance and usage of a key or its owner, for OpenAI's billing calls. */
export const openTokenAccounts = ({ database, options }: AccountParts) => {
  const ofToken = async (tokenId: number): Promise<TokenAccount> => {
    const row = await database.query
      .selectFrom('tokens')
      .select(['remain_quota', 'used_quota', 'expired_time', 'unlimited_quota'])
      .where('id', '=', tokenId)
      .executeTakeFirst()
    if (row === undefined) return gone()
    return {
      remaining: row.remain_quota,
      used: row.used_quota,
      accessUntil: row.expired_time === neverExpires ? 0 : row.expired_time,
      unlimited: row.unlimited_quota === 1,
    }
  }

  const ofUser = async (userId: number): Promise<TokenAccount> => {
    const row = await database.query
      .selectFrom('users')
      .select(['quota', 'used_quota'])
      .where('id', '=', userId)
      .executeTakeFirst()
    return row === undefined ? gone() : { remaining: row.quota, used: row.used_quota, accessUntil: 0, unlimited: false }
  }

  return async (caller: { readonly tokenId: number; readonly userId: number }): Promise<TokenAccount> => {
    const { DisplayTokenStatEnabled, DisplayInCurrencyEnabled, QuotaPerUnit } = options()
    const sums = await (DisplayTokenStatEnabled ? ofToken(caller.tokenId) : ofUser(caller.userId))
    const unit = DisplayInCurrencyEnabled ? QuotaPerUnit : 1
    return { ...sums, remaining: sums.remaining / unit, used: sums.used / unit }
  }
}
