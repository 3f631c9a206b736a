import type { TipStore } from '../epoch/epoch-check.ts'
import type { AccountBalance, AccountKind } from './accounts.ts'

export type AccountName = Pick<AccountBalance, 'account' | 'id'>

export interface AccountChange extends AccountName {
  /** Added to what this node has pending. */
  readonly pending: number
  readonly accountBalance: AccountBalance | undefined
}

export type Reservation =
  | { readonly kind: 'held'; readonly tokenChecked: boolean }
  | { readonly kind: 'refused'; readonly account: AccountKind; readonly remain: number }
  /** A balance must be loaded first. */
  | { readonly kind: 'unknown' }
  /** The others take this node for dead, or Redis lost its data: shares must be sent again. */
  | { readonly kind: 'lost' }

export interface ReserveRequest {
  readonly userId: number
  readonly tokenId: number
  readonly tokenUnlimited: boolean | undefined
  readonly amount: number
  readonly spare: number
  readonly more: boolean
}

/**
 * The accounts that several nodes share, as one of them sees them: in Redis, or in the process that supervises the workers of a node.
 * Commands arrive in the order in which they are given, or fail.
 */
export interface AccountStore extends TipStore {
  reserve(request: ReserveRequest): Promise<Reservation>
  change(changes: readonly AccountChange[]): Promise<void>
  doubt(accounts: readonly AccountName[]): Promise<void>
  /** Answers whether the node was still known. */
  beat(): Promise<boolean>
  /** Replaces what this node has pending in these accounts, in order with the changes sent before and after. */
  share(shares: readonly (AccountName & { readonly pending: number })[]): Promise<void>
  forgetSilent(namePrefix: string, silentMs: number): Promise<void>
  leave(): Promise<void>
  close(): void
}
