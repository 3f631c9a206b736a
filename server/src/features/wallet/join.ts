import type { LogText } from '@tollgate/contract'
import type { FeatureKit } from '../../app/parts.ts'
import { every } from '../../jobs/every.ts'
import { openOutgoing } from '../../lib/security/outgoing.ts'
import { walletRoutes } from './routes.ts'
import { openWallet } from './wallet.ts'

const purgeEveryMs = 3_600_000

/** Parts of the kit that the wallet uses. */
export type WalletKit = Pick<FeatureKit, 'database' | 'audit' | 'clock' | 'log' | 'operatorEgress' | 'on'> & {
  readonly ledger: Pick<FeatureKit['ledger'], 'movements'>
  readonly options: Pick<FeatureKit['options'], 'snapshot'>
}

export interface WalletNeeds {
  amountText(quota: number): string
  /** Writes the line of a top-up into the log of a user; never rejects. */
  writeEvent(event: { userId: number; username: string; text: LogText }): Promise<void>
}

/** Joins online top-ups; answers what ends them. */
export const joinWallet = (kit: WalletKit, { amountText, writeEvent }: WalletNeeds): (() => Promise<void>) => {
  const { database, ledger, audit, options, clock, log, operatorEgress, on } = kit
  const outgoing = openOutgoing(operatorEgress)
  const wallet = openWallet({
    database,
    ledger: ledger.movements,
    audit,
    settings: options.snapshot,
    askGateway: async (url) => (await outgoing.ask(url)).text(),
    writeEvent,
    amountText,
    clock,
    log,
  })
  walletRoutes(on, wallet)
  const stopPurging = every(purgeEveryMs, wallet.purge, (error) =>
    log.warn('payment_callback_cleanup_failed', { error }),
  )
  return async () => {
    stopPurging()
    await outgoing.close()
  }
}
