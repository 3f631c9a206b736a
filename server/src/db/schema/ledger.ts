import type { Id, Time } from './columns.ts'

/**
 * Append-only: every credit and debit of a balance. `quota`, `remain_quota` and `aff_quota` are the sums of their
 * entries. (movement, account, account_id) is unique: repeating a movement changes nothing.
 */
export interface LedgerEntriesTable {
  id: Id
  /** The request id of a charge, or e.g. `adjust:<id>`. */
  movement: string
  /** `cap`: what counts towards a spending cap of a member or project. */
  account: 'user' | 'token' | 'aff' | 'cap'
  account_id: number
  /** Signed quota units. */
  amount: number
  reason: 'opening' | 'charge' | 'adjust' | 'grant' | 'redeem' | 'topup' | 'transfer' | 'refund' | 'correction'
  created_at: Time
  /** JSON: the frozen receipt of a charge, or who adjusted and why. */
  detail: string
  /** The token that a charge to this user also moves by the same amount; null for none. Earlier versions wrote it an entry of its own. */
  token_id: number | null
}

/** Sums of the entries of an account by reason and hour; charges are only here where `usage_hours` does not have them. */
export interface LedgerHoursTable {
  id: Id
  account: 'user' | 'aff'
  account_id: number
  /** Start of the hour. */
  created_at: Time
  reason: LedgerEntriesTable['reason']
  count: number
  /** Signed quota units. */
  amount: number
}

/** Use of an account before its import; its `used_quota` is this and its charges. */
export interface OpeningUsesTable {
  id: Id
  account: 'user' | 'token'
  account_id: number
  /** Quota units. */
  used: number
}

/** How much of `usage_hours` is corrections: quota that was added to a model of a key in an hour. */
export interface CorrectionHoursTable {
  id: Id
  user_id: number
  created_at: Time
  token_id: number
  model_name: string
  quota: number
}

/** The ledger and its sums. */
export interface LedgerRowTables {
  opening_uses: OpeningUsesTable
  ledger_entries: LedgerEntriesTable
  ledger_hours: LedgerHoursTable
  correction_hours: CorrectionHoursTable
}
