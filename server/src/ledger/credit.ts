import type { LedgerEntriesTable } from '../db/schema.ts'

/** Credit to an account. */
export interface Credit {
  readonly account: LedgerEntriesTable['account']
  readonly accountId: number
  /** Quota units, ≥ 0: what is taken from an account is a `Debit`. */
  readonly amount: number
  readonly reason: LedgerEntriesTable['reason']
  /** Actor and reason; becomes the entry's `detail`. */
  readonly detail?: Readonly<Record<string, unknown>>
}
