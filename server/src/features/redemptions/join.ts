import type { LogText } from '@tollgate/contract'
import type { LoginThrottle } from '../../app/noun-types.ts'
import type { FeatureKit } from '../../app/parts.ts'
import { AppError } from '../../lib/app-error.ts'
import type { CodeGuessThrottle } from './ports.ts'
import { createRedeem } from './redeem.ts'
import { createRedemptionService } from './redemptions.ts'
import { redemptionRoutes } from './routes.ts'

/** The throttle of logins, with words of its own. */
const guessThrottle = (throttle: LoginThrottle): CodeGuessThrottle => ({
  async attempt(keys) {
    try {
      await throttle.attempt(keys)
    } catch (cause) {
      if (!(cause instanceof AppError) || cause.code !== 'login_throttled') throw cause
      throw new AppError('redemption_throttled', { params: cause.params })
    }
  },
  succeeded: async (keys) => throttle.succeeded(keys),
})

/** Parts of the kit that redemption codes use. */
export type RedemptionKit = Pick<FeatureKit, 'database' | 'secrets' | 'audit' | 'clock' | 'on'> & {
  readonly ledger: Pick<FeatureKit['ledger'], 'movements'>
  readonly options: Pick<FeatureKit['options'], 'get'>
}

/** Joins redemption codes. */
export const joinRedemptions = (
  { database, secrets, ledger, audit, options, clock, on }: RedemptionKit,
  needs: {
    readonly guesses: LoginThrottle
    amountText(quota: number): string
    /** Writes the line of a top-up into the log of a user; never rejects. */
    writeEvent(event: { userId: number; username: string; text: LogText }): Promise<void>
  },
): void => {
  const codes = {
    database,
    secrets,
    ledger: ledger.movements,
    audit,
    throttle: guessThrottle(needs.guesses),
    writeEvent: needs.writeEvent,
    amountText: needs.amountText,
    shortAmount: (quota: number) =>
      options.get('DisplayInCurrencyEnabled') ? `$${(quota / options.get('QuotaPerUnit')).toFixed(2)}` : String(quota),
    clock,
  }
  redemptionRoutes(on, createRedemptionService(codes), createRedeem(codes))
}
