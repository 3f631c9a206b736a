import { createLeaseSize } from '../../../lib/leases/lease-size.ts'
import type { AccountChange } from '../account-store.ts'
import type { AccountKind, AccountName } from '../accounts.ts'

/** This node's share of an account that several nodes use: the holds of its calls, and the rest of its lease. Quota units. */
export class NodeAccount implements AccountName {
  readonly account: AccountKind
  readonly id: number
  readonly size = createLeaseSize()
  /** Holds of calls. */
  used = 0
  /** Calls that have something pending, be it 0. */
  calls = 0
  /** Share that the store counts for this node once all messages have arrived; never less than `used`. */
  share = 0
  /** How much may be left; 0 where there is no lease, then all that is not used goes back at once. */
  most = 0
  /** The last lease that was answered. */
  lease = 0
  asking = false
  /** True if it was recalled during the request for a lease. */
  recalled = false
  /** Milliseconds. Before this time no lease is requested, nor recalled from other nodes. */
  askAt = 0
  recallAt = 0
  usedAt = 0
  recalling: Promise<boolean> | undefined

  constructor({ account, id }: AccountName) {
    this.account = account
    this.id = id
  }

  /** Amount that calls may still take without asking the store. */
  get left(): number {
    return this.share - this.used
  }

  /** True if a part may go back at any moment: the rest of a lease, or of one whose request is on its way. */
  get isReturnable(): boolean {
    return this.left > 0 || this.asking
  }

  /** True if nothing of it needs to be known. */
  get isIdle(): boolean {
    return (
      this.calls === 0 &&
      this.used === 0 &&
      this.share === 0 &&
      this.most === 0 &&
      !this.asking &&
      this.recalling === undefined
    )
  }

  /** Changes what calls have pending; answers by how much the share must change with it. */
  use(difference: number): number {
    this.used += difference
    const { left, most } = this
    // A charge may exceed its hold. Freed quota stays here up to twice the lease, so that few calls need a report.
    const change = left < 0 ? -left : left > 2 * most ? most - left : 0
    this.share += change
    return change
  }

  /** Counts an amount that the store has added to the share and a call has pending. */
  reserved(amount: number, now: number): void {
    this.share += amount
    this.used += amount
    this.usedAt = now
  }

  /** Takes from used and share alike: what was pending has become part of the balance. */
  book(amount: number): void {
    this.used -= amount
    this.share -= amount
  }

  /** Keeps no more than `most`; answers what the store must know. */
  keep(most: number): AccountChange {
    const over = Math.max(0, this.left - most)
    this.share -= over
    this.most = most
    const { account, id } = this
    return { account, id, pending: -over, accountBalance: undefined, ...(most === 0 ? { returned: this.lease } : {}) }
  }
}
