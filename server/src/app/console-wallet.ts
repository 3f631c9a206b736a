import { type LogText, logType } from '@tollgate/contract'
import type { LoginThrottle } from '../features/accounts/throttle.ts'
import type { RecordEvent } from '../features/logs/events.ts'
import type { CodeGuessThrottle } from '../features/redemptions/ports.ts'
import { createRedeem } from '../features/redemptions/redeem.ts'
import { createRedemptionService } from '../features/redemptions/redemptions.ts'
import { redemptionRoutes } from '../features/redemptions/routes.ts'
import { openOutgoing } from '../features/third-party/outgoing.ts'
import { walletRoutes } from '../features/wallet/routes.ts'
import { openWallet } from '../features/wallet/wallet.ts'
import type { On } from '../http/route.ts'
import { every } from '../jobs/every.ts'
import { AppError } from '../lib/app-error.ts'
import type { SharedParts } from './parts.ts'
import { openStoredThrottle } from './stored-throttle.ts'

const purgeEveryMs = 3_600_000

export interface WalletNeeds {
  readonly recordEvent: RecordEvent
  amountText(quota: number): string
}

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

/** What of both doors' parts the wallet stands on. */
export type WalletShared = Pick<
  SharedParts,
  'database' | 'secrets' | 'audit' | 'clock' | 'log' | 'redis' | 'primary' | 'operatorEgress'
> & {
  readonly ledger: Pick<SharedParts['ledger'], 'movements'>
  readonly options: Pick<SharedParts['options'], 'get' | 'snapshot'>
}

/** Joins redemption codes and online top-ups; answers what ends them. */
export const joinWallet = async (shared: WalletShared, needs: WalletNeeds, on: On): Promise<() => Promise<void>> => {
  const { database, secrets, ledger, audit, options, clock, log } = shared
  /** The money has moved by then, so a log that cannot be written is no failure. */
  const writeEvent = (event: { userId: number; username: string; text: LogText }): Promise<void> =>
    needs
      .recordEvent({ ...event, type: logType.topUp })
      .catch((error: unknown) => log.warn('top_up_not_logged', { user_id: event.userId, error }))
  const guesses = await openStoredThrottle(shared, 'redeem')
  const codes = {
    database,
    secrets,
    ledger: ledger.movements,
    audit,
    throttle: guessThrottle(guesses.throttle),
    writeEvent,
    amountText: needs.amountText,
    shortAmount: (quota: number) =>
      options.get('DisplayInCurrencyEnabled') ? `$${(quota / options.get('QuotaPerUnit')).toFixed(2)}` : String(quota),
    clock,
  }
  redemptionRoutes(on, createRedemptionService(codes), createRedeem(codes))

  const outgoing = openOutgoing(shared.operatorEgress)
  const wallet = openWallet({
    database,
    ledger: ledger.movements,
    audit,
    settings: options.snapshot,
    askGateway: async (url) => (await outgoing.ask(url)).text(),
    writeEvent,
    amountText: needs.amountText,
    clock,
    log,
  })
  walletRoutes(on, wallet)
  const stopPurging = every(purgeEveryMs, wallet.purge, (error) =>
    log.warn('payment_callback_cleanup_failed', { error }),
  )
  return async () => {
    stopPurging()
    await guesses.close()
    await outgoing.close()
  }
}
