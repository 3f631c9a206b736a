import type { Database } from '../../db/database.ts'
import { type LogVerificationParts, verifyLogs } from '../logs/verify-logs.ts'
import type { LedgerDifference } from './difference.ts'
import { verifyBalances } from './verify-balances.ts'
import { verifyCharges } from './verify-charges.ts'
import { verifyCorrections } from './verify-corrections.ts'
import { verifyOrigins } from './verify-origins.ts'
import { verifySums } from './verify-sums.ts'
import { verifyTransfers } from './verify-transfers.ts'

export interface Verification {
  readonly users: number
  readonly tokens: number
  readonly charges: number
  /** Rows of the log that were compared with their charges. */
  readonly logRows: number
  /** Charges that may lack a row of the log, and do: older than its oldest row, of purged times, or of times when it was off. */
  readonly unlogged: number
  readonly differences: readonly LedgerDifference[]
}

/**
 * Recomputes every balance and the sums of months from their entries and every charge from its receipt, and compares
 * charges with the log, as far back as it reaches; compares what was bought, redeemed and paid back with what it was for; finds movements out of wallets that took what calls held or were charged. May run beside a working gateway, but not before one that was killed has applied its journal.
 */
export const verifyLedger = async (
  database: Database,
  more: Partial<Omit<LogVerificationParts, 'database'>> = {},
): Promise<Verification> => {
  const balances = await verifyBalances(database)
  const charges = await verifyCharges(database)
  const corrections = await verifyCorrections(database)
  const sums = await verifySums(database)
  const origins = await verifyOrigins(database)
  const transfers = await verifyTransfers(database)
  const logs = await verifyLogs({ database, logDatabase: database, ...more })
  return {
    users: balances.users,
    tokens: balances.tokens,
    charges: charges.count,
    logRows: logs.compared,
    unlogged: logs.unlogged,
    differences: [
      ...balances.differences,
      ...charges.differences,
      ...corrections.differences,
      ...sums,
      ...origins,
      ...transfers,
      ...logs.differences,
    ],
  }
}
