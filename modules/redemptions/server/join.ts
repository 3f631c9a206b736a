import type { JoinedModule, JoinModule, ModuleKit } from '#server/app/modules/module-kit.ts'
import type { LoginThrottle } from '#server/features/accounts/throttle.ts'
import { openStoredThrottle } from '#server/features/accounts/waits/stored-throttle.ts'
import { topUpEvents } from '#server/features/logs/events.ts'
import { AppError } from '#server/lib/app-error.ts'
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
export type RedemptionKit = Pick<
  ModuleKit,
  'database' | 'secrets' | 'audit' | 'clock' | 'log' | 'on' | 'redis' | 'primary' | 'recordEvent'
> & {
  readonly ledger: Pick<ModuleKit['ledger'], 'movements'>
  readonly options: Pick<ModuleKit['options'], 'get'>
}

/** Joins redemption codes to these parts of the kit. */
export const joinRedemptions = async (kit: RedemptionKit): Promise<JoinedModule> => {
  const { database, secrets, ledger, audit, options, clock, log, on, recordEvent } = kit
  const guesses = await openStoredThrottle(kit, 'redeem')
  const codes = {
    database,
    secrets,
    ledger: ledger.movements,
    audit,
    throttle: guessThrottle(guesses.throttle),
    writeEvent: topUpEvents(recordEvent, log),
    shortAmount: (quota: number) =>
      options.get('DisplayInCurrencyEnabled') ? `$${(quota / options.get('QuotaPerUnit')).toFixed(2)}` : String(quota),
    clock,
  }
  redemptionRoutes(on, createRedemptionService(codes), createRedeem(codes))
  return { close: guesses.close }
}

/** Joins redemption codes. */
export const join: JoinModule = joinRedemptions
