import { largestPageSize } from '@tollgate/contract/sizes'
import type { LedgerEntry, LedgerPage } from '../../lib/api/contract.ts'

/** More rows than this are for the database, not for a browser. */
const mostRows = 10_000

/** Reads a ledger from its newest entry back. `capped` is true if there were more than `mostRows`. */
export const readLedger = async (
  readPage: (edge: { page_size: number; before?: number }) => Promise<LedgerPage>,
): Promise<{ rows: LedgerEntry[]; capped: boolean }> => {
  const rows: LedgerEntry[] = []
  while (rows.length < mostRows) {
    const last = rows.at(-1)
    const { items, more } = await readPage({ page_size: largestPageSize, ...(last ? { before: last.id } : {}) })
    rows.push(...items)
    if (!more) return { rows, capped: false }
  }
  return { rows, capped: true }
}
