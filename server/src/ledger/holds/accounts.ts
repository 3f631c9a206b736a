import type { JournalRecord } from '../../journal/journal-record.ts'
import type { HoldAnswer, HoldRequest, Holds } from '../../relay/ports.ts'

/** Accounts that calls are charged to. */
export type AccountKind = 'user' | 'token'

/** A balance as the database has it. */
export interface AccountBalance {
  readonly account: AccountKind
  readonly id: number
  readonly balance: number
  /** Grows with every movement of the account; 0 where one node needs no order. */
  readonly version: number
  /** Such a token is charged but never checked. */
  readonly unlimited: boolean
}

/** A finished request as accounts see it. */
export type Charging = Pick<JournalRecord, 'userId' | 'tokenId' | 'quota' | 'hold'>

/**
 * What can be spent: balances as the database has them, minus what is pending — reservations and charges that are not in
 * the database yet (docs/architecture/money.md). One node keeps it in memory, several share it in Redis.
 */
export interface Accounts extends Holds {
  /** Counts a finished request until it is in the database: in place of its hold, or with one that it gets now. */
  charging(record: Charging): void
  /**
   * Counts charges of an earlier run until they are in the database, each with a hold that its record takes over. Resolves
   * when every node counts them, or when Redis does not answer and they are sent again.
   */
  leftOver(charges: readonly Charging[]): Promise<void>
  /** These requests are in the database: what they had pending goes in the same step in which the balances come. */
  committed(records: readonly Pick<Charging, 'hold'>[], balances: readonly AccountBalance[]): void | Promise<void>
  /** A movement of these accounts failed in a way that leaves its outcome open: they are read again when needed. */
  doubt(accounts: readonly Pick<AccountBalance, 'account' | 'id'>[]): void | Promise<void>
  /** Reads an account again after something else about it changed, e.g. a token became unlimited. */
  refresh(account: AccountKind, id: number): Promise<void>
  /** What earlier runs of this node left is counted by this one: what they had pending counts no longer. */
  started(): void
  /** Reservations of this node that are not settled, and what they come to in quota units. */
  open(): { readonly count: number; readonly quota: number }
  close(): Promise<void>
}

/** Reads balances; both lists may be empty. Accounts that do not exist are missing from the answer. */
export type ReadBalances = (users: readonly number[], tokens: readonly number[]) => Promise<readonly AccountBalance[]>

/** Refused when nothing is left, even for an amount of 0, or less than the amount and what it has to spare. */
export const refuses = (available: number, { amount, spare = 0, more = false }: HoldRequest): boolean =>
  (available <= 0 && !more) || available < amount + spare

export const refusal = (account: AccountKind, remain: number, request: HoldRequest): HoldAnswer => ({
  kind: 'refused',
  account,
  remain,
  need: request.amount,
})
