import type { TipStore } from '../epoch/epoch-check.ts'
import type { AccountBalance, AccountName, NeededAccount } from './accounts.ts'

export interface AccountChange extends AccountName {
  /** Added to this node's share. */
  readonly pending: number
  readonly accountBalance: AccountBalance | undefined
  /** The number of the last lease that this node knows, where nothing of it and of earlier ones is left. */
  readonly returned?: number
}

/** This node's share in an account: the holds of its calls, and the rest of its lease. */
export interface AccountShare extends AccountName {
  readonly pending: number
  /** The number of its last lease; 0 where nothing of it is left. */
  readonly lease: number
}

export type Reservation =
  /** `accounts` are those in which the amount is pending now. */
  | { readonly kind: 'held'; readonly accounts: readonly AccountName[] }
  | {
      readonly kind: 'refused'
      readonly account: AccountName
      readonly remain: number
      /** True if other nodes have leases of this account, which may be recalled. */
      readonly leased: boolean
      /** True if a process that ended has a share of it, most of which is free again once its replacement has read its journal. */
      readonly abandoned: boolean
    }
  /** A balance must be loaded first. */
  | { readonly kind: 'unknown' }
  /** The others take this node for dead, or Redis lost its data: shares must be sent again. */
  | { readonly kind: 'lost' }

export interface ReserveRequest {
  /** Checked in this order; all hold the amount or none does. */
  readonly accounts: readonly NeededAccount[]
  readonly amount: number
  readonly spare: number
  readonly more: boolean
}

/** A question for a lease: quota that is added to this node's share before calls need it. */
export interface LeaseRequest extends AccountName {
  /** Grows with each lease of this node. */
  readonly number: number
  /** Rest of the node's earlier leases, and the amount that it asks for. */
  readonly left: number
  readonly wanted: number
  /** Less than this is not worth a lease. */
  readonly least: number
}

export interface LeaseAnswer {
  /** Added to the node's share. */
  readonly granted: number
  /** The most that the node should have left, as the rest of the account is now. */
  readonly most: number
}

/** Returns what is left of this node's leases of these accounts, since another node needs it. */
export type OnRecall = (accounts: readonly AccountName[] | 'all') => void

/**
 * The accounts that several nodes share, as one of them sees them: in Redis, or in the process that supervises the workers of a node.
 * Commands arrive in the order in which they are given, or fail.
 */
export interface AccountStore extends TipStore {
  reserve(request: ReserveRequest): Promise<Reservation>
  lease(request: LeaseRequest): Promise<LeaseAnswer>
  /** Answers the accounts whose new balance is less than all shares, while a node has a lease of them. */
  change(changes: readonly AccountChange[]): Promise<readonly AccountName[]>
  doubt(accounts: readonly AccountName[]): Promise<void>
  /** Asks other nodes to return their leases of these accounts; answers those in which some have leases now. */
  recall(accounts: readonly AccountName[]): Promise<readonly AccountName[]>
  /** Milliseconds for which calls wait for a recalled lease before they are refused. */
  readonly recallMs: number
  /**
   * Resolves with true when replacements have taken over the shares of all processes that ended with a share of this account, and with false
   * where that takes too long.
   */
  takenOver(account: AccountName): Promise<boolean>
  /** Resolves when the store knows what all others have pending: before that a balance may seem to have more left than it has. Never rejects. */
  settled(): Promise<void>
  /** Answers whether the node was still known. */
  beat(): Promise<boolean>
  /** Replaces this node's shares of these accounts, in order with the changes sent before and after. */
  share(shares: readonly AccountShare[]): Promise<void>
  forgetSilent(namePrefix: string, silentMs: number): Promise<void>
  leave(): Promise<void>
  close(): void
}
