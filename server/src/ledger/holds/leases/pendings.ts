import type { Hold } from '../../../relay/ports.ts'
import type { AccountChange } from '../account-store.ts'
import type { AccountName } from '../accounts.ts'
import type { LeaseBook } from './lease-book.ts'
import type { NodeAccount } from './node-account.ts'

/** Holds of one request of this node. */
export class Pending implements Hold {
  readonly accounts: readonly NodeAccount[]
  readonly release: () => void
  readonly quota: number
  amount: number
  state: 'held' | 'charged' | 'gone' = 'held'

  constructor(accounts: readonly NodeAccount[], amount: number, release: (pending: Pending) => void) {
    this.accounts = accounts
    this.quota = amount
    this.amount = amount
    this.release = () => release(this)
  }
}

/** Holds of this node's requests. */
export interface Pendings {
  /** A pending of a call whose amount the accounts count already. */
  hold(accounts: readonly NodeAccount[], amount: number): Pending
  /** A pending of a charge that nothing was held for. */
  withoutHold(names: readonly AccountName[]): Pending
  /** Puts a charge in the place of what was held; answers what the store must know. */
  charge(pending: Pending, charge: number): AccountChange[]
  /** Puts a charge in the place of what was held, and sends it to the store. */
  settle(pending: Pending, charge: number): void
  /** Its charge is part of the balance now, or was given up: answers the accounts whose share the store must lower by its amount. */
  drop(pending: Pending): readonly NodeAccount[]
  /** Number of open reservations, and their sum in quota units. */
  open(): { readonly count: number; readonly quota: number }
}

export const createPendings = (parts: {
  readonly book: Pick<LeaseBook, 'of' | 'renew'>
  readonly publish: (changes: readonly AccountChange[]) => Promise<unknown>
}): Pendings => {
  const { book, publish } = parts
  let count = 0
  let quota = 0

  const change = (pending: Pending, amount: number): AccountChange[] => {
    const difference = amount - pending.amount
    pending.amount = amount
    if (difference === 0) return []
    return pending.accounts.flatMap((one) => {
      const share = one.use(difference)
      return share === 0 ? [] : { account: one.account, id: one.id, pending: share, accountBalance: undefined }
    })
  }

  const leaveOpen = (pending: Pending): void => {
    if (pending.state !== 'held') return
    count -= 1
    quota -= pending.amount
  }

  const leave = (pending: Pending): void => {
    for (const account of pending.accounts) account.calls -= 1
  }

  const release = (pending: Pending): void => {
    if (pending.state !== 'held') return
    leaveOpen(pending)
    pending.state = 'gone'
    void publish(change(pending, 0))
    leave(pending)
  }

  const create = (accounts: readonly NodeAccount[], amount: number): Pending => {
    count += 1
    quota += amount
    for (const account of accounts) account.calls += 1
    return new Pending(accounts, amount, release)
  }

  const charge = (pending: Pending, amount: number): AccountChange[] => {
    if (pending.state !== 'held') return []
    leaveOpen(pending)
    pending.state = 'charged'
    return change(pending, amount)
  }

  return {
    hold(accounts, amount) {
      for (const account of accounts) book.renew(account, amount)
      return create(accounts, amount)
    },
    withoutHold: (names) =>
      create(
        names.map((name) => book.of(name)),
        0,
      ),
    charge,
    settle(pending, amount) {
      const changes = charge(pending, amount)
      if (changes.length > 0) void publish(changes)
    },
    drop(pending) {
      if (pending.state === 'gone') return []
      leaveOpen(pending)
      pending.state = 'gone'
      for (const account of pending.accounts) account.book(pending.amount)
      leave(pending)
      return pending.accounts
    },
    open: () => ({ count, quota }),
  }
}
