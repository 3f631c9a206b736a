import type { LedgerEntriesTable } from '../db/schema.ts'

/** What an account gets. */
export interface Credit {
  readonly account: LedgerEntriesTable['account']
  readonly accountId: number
  /** Quota units, ≥ 0: what is taken from an account is a `Debit`. */
  readonly amount: number
  readonly reason: LedgerEntriesTable['reason']
  /** Who did it and why; becomes the entry's `detail`. */
  readonly detail?: Readonly<Record<string, unknown>>
}
