import type { Transaction } from 'kysely'
import { upsert } from '../db/dialect.ts'
import type { LedgerEntriesTable, LedgerHoursTable, Tables } from '../db/schema.ts'

type Summed = Pick<LedgerEntriesTable, 'account' | 'amount' | 'reason'> & { readonly accountId: number }
type Hour = Omit<LedgerHoursTable, 'id'>

const hour = 3_600
const mostRows = 250

/**
 * Adds entries to the sums that months are read from, in the transaction that writes them; `at` in unix seconds. The rows of the
 * accounts are locked already, so two transactions never wait for each other here.
 */
export const addMovementHours = async (
  trx: Transaction<Tables>,
  at: number,
  entries: readonly Summed[],
): Promise<void> => {
  const sums = new Map<string, Hour>()
  for (const { account, accountId, amount, reason } of entries) {
    if (account === 'token' || account === 'cap') continue
    const key = `${account} ${accountId} ${reason}`
    const before = sums.get(key)
    sums.set(key, {
      account,
      account_id: accountId,
      created_at: at - (at % hour),
      reason,
      count: (before?.count ?? 0) + 1,
      amount: (before?.amount ?? 0) + amount,
    })
  }
  const rows = [...sums.values()]
  for (let start = 0; start < rows.length; start += mostRows) {
    await upsert(trx, 'ledger_hours', rows.slice(start, start + mostRows), {
      key: ['account', 'account_id', 'created_at', 'reason'],
      add: ['count', 'amount'],
    })
  }
}
