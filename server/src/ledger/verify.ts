import type { Database } from '../db/database.ts'
import type { Difference } from './difference.ts'
import { verifyBalances } from './verify-balances.ts'
import { verifyCharges } from './verify-charges.ts'

export interface Verification {
  readonly users: number
  readonly tokens: number
  readonly charges: number
  readonly differences: readonly Difference[]
}

/**
 * Recomputes every balance from its entries and every charge from its receipt. Reads only users, tokens and
 * ledger_entries: logs may have been cleared. May run beside a working gateway.
 */
export const verifyLedger = async (database: Database): Promise<Verification> => {
  const balances = await verifyBalances(database)
  const charges = await verifyCharges(database)
  return {
    users: balances.users,
    tokens: balances.tokens,
    charges: charges.count,
    differences: [...balances.differences, ...charges.differences],
  }
}
