import type { JournalRecord } from '../../journal/journal-record.ts'
import type { HoldAnswer, HoldRequest, Holds } from '../../relay/ports.ts'

/** Accounts that calls are charged to; a `cap` limits what a member or a project may spend of a wallet in a window. */
export type AccountKind = 'user' | 'token' | 'cap'

export interface AccountName {
  readonly account: AccountKind
  readonly id: number
}

/** A balance as the database has it. */
export interface AccountBalance extends AccountName {
  readonly balance: number
  /** Grows with every movement of the account; 0 where one node needs no order. */
  readonly version: number
  /** True for a token or cap that is charged but never checked. */
  readonly unlimited: boolean
}

/** The fields of a finished request that accounts need. */
export type Charging = Pick<JournalRecord, 'userId' | 'tokenId' | 'caps' | 'quota' | 'hold'>

/**
 * Available quota: balances of the database minus pending amounts — reservations and charges that are not in the database yet
 * (docs/architecture/money/holds.md). One node keeps it in memory, several share it in Redis.
 */
export interface Accounts extends Holds {
  /** Holds quota units (≥ 0) of one account for a movement. Like a call it gets only available quota; leases of other nodes are recalled first. */
  reserve(account: AccountName, amount: number): HoldAnswer | Promise<HoldAnswer>
  /** Counts a finished request until it is in the database: in place of its hold, or with one that it gets now. */
  charging(record: Charging): void
  /**
   * Counts charges of an earlier run until they are in the database, each with a hold that its record takes over. Resolves
   * when every node counts them, or when Redis does not answer and they are sent again.
   */
  leftOver(charges: readonly Charging[]): Promise<void>
  /** These requests or movements are in the database: their pending amounts are removed in the step that applies the new balances. */
  committed(records: readonly Pick<Charging, 'hold'>[], balances: readonly AccountBalance[]): void | Promise<void>
  /** A movement of these accounts failed with an unknown outcome: their balances are read again when needed. */
  doubt(accounts: readonly AccountName[]): void | Promise<void>
  /** Reads an account again after something else about it changed, e.g. a token became unlimited. */
  refresh(account: AccountKind, id: number): Promise<void>
  /** Takes over the shares of this node's earlier runs: their holds count no longer. */
  started(): void
  /** Reservations of this node that are not settled, and their sum in quota units. */
  open(): { readonly count: number; readonly quota: number }
  /** Accounts of which this node has a lease, and the unused rest in quota units. Zeros on a single node. */
  leased(): { readonly count: number; readonly quota: number }
  close(): Promise<void>
}

/** Reads balances. Accounts that do not exist are missing from the answer, but a cap that does not exist is unlimited. */
export type ReadBalances = (accounts: readonly AccountName[]) => Promise<readonly AccountBalance[]>

/** An account that a hold needs. */
export interface NeededAccount extends AccountName {
  /** True if the account counts only where it is not unlimited, as its balance says. */
  readonly unlessUnlimited: boolean
}

/** The amounts of a hold; the fields are those of `HoldRequest`. */
export type AskedAmount = Pick<HoldRequest, 'amount' | 'spare' | 'more' | 'caps'>

/** The accounts that pay for a request, in the order in which they are checked. */
export const neededAccounts = ({ userId, tokenId, tokenUnlimited, caps = [] }: HoldRequest): NeededAccount[] => {
  const needed: NeededAccount[] = [{ account: 'user', id: userId, unlessUnlimited: false }]
  if (tokenId !== 0 && tokenUnlimited !== true)
    needed.push({ account: 'token', id: tokenId, unlessUnlimited: tokenUnlimited === undefined })
  for (const { id } of caps) needed.push({ account: 'cap', id, unlessUnlimited: true })
  return needed
}

/** The accounts that a finished request is charged to. */
export const chargedAccounts = ({ userId, tokenId, caps = [] }: Omit<Charging, 'quota' | 'hold'>): AccountName[] => {
  const charged: AccountName[] = [{ account: 'user', id: userId }]
  if (tokenId !== 0) charged.push({ account: 'token', id: tokenId })
  for (const id of caps) charged.push({ account: 'cap', id })
  return charged
}

/** True when nothing is available, even for an amount of 0, or less than the amount and its spare. */
export const refuses = (available: number, { amount, spare = 0, more = false }: AskedAmount): boolean =>
  (available <= 0 && !more) || available < amount + spare

/** Refusal by an account of which `remain` quota units are available. */
export const refusal = ({ account, id }: AccountName, remain: number, request: AskedAmount): HoldAnswer => {
  const cap = account === 'cap' ? request.caps?.find((one) => one.id === id) : undefined
  return { kind: 'refused', account, remain, need: request.amount, ...(cap && { cap }) }
}
