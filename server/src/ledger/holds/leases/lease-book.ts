import type { AccountChange, AccountShare, LeaseAnswer, LeaseRequest } from '../account-store.ts'
import type { AccountKind, AccountName } from '../accounts.ts'
import { NodeAccount } from './node-account.ts'

export interface LeaseBookParts {
  /** Asks the store; `use` runs before this node's shares can be sent as a whole. */
  readonly ask: (request: LeaseRequest, use: (answer: LeaseAnswer) => void) => Promise<void>
  readonly publish: (changes: readonly AccountChange[]) => Promise<unknown>
  /** The store may count another share than this node does: it is sent with the next shares. */
  readonly doubt: (accounts: readonly AccountName[]) => void
  /** Milliseconds that never go back. */
  readonly now: () => number
}

/** This node's shares of all accounts that it uses. */
export interface LeaseBook {
  of(name: AccountName): NodeAccount
  find(name: AccountName): NodeAccount | undefined
  /** True if leases count at this moment; they do until the time that was last given. */
  readonly trusted: boolean
  trustUntil(time: number): void
  /**
   * Counts an amount as pending in all of these accounts when the lease of each covers it and leaves `spare`; undefined when the store
   * must be asked.
   */
  take(accounts: readonly AccountName[], amount: number, spare: number): readonly NodeAccount[] | undefined
  /** Requests a lease in the background if calls of such an amount will need one. */
  renew(account: NodeAccount, amount: number): void
  /** Those of these accounts of which this node may return a part while the store answers. */
  returnable(names: readonly AccountName[]): readonly NodeAccount[]
  /** Ends leases of these accounts; returns the changes for the store. */
  giveBack(accounts: readonly AccountName[] | 'all'): AccountChange[]
  /** Ends all leases: others may have spent them. The store learns it from the shares, which must be sent next. */
  drop(): void
  shares(): AccountShare[]
  /** Number of leases, and their unused rest in quota units. */
  leased(): { readonly count: number; readonly quota: number }
  /** Returns unused leases, and drops idle accounts. */
  sweep(): void
}

/** Calls that a lease must cover to be worth its request. */
const leastCalls = 16
/** Milliseconds after a refusal or a recall in which each call asks the store. */
const pauseMs = 1_000
const idleMs = 60_000

export const createLeaseBook = ({ ask, publish, doubt, now }: LeaseBookParts): LeaseBook => {
  const accounts: Readonly<Record<AccountKind, Map<number, NodeAccount>>> = {
    user: new Map(),
    token: new Map(),
    cap: new Map(),
  }
  let lastNumber = 0
  let generation = 0
  let trustedUntil = Number.NEGATIVE_INFINITY

  const find = ({ account, id }: AccountName): NodeAccount | undefined => accounts[account].get(id)
  const all = (): NodeAccount[] => [...accounts.user.values(), ...accounts.token.values(), ...accounts.cap.values()]

  const returned = (account: NodeAccount): AccountChange => {
    account.askAt = now() + pauseMs
    account.recalled = account.asking
    return account.keep(0)
  }

  const granted = (account: NodeAccount, number: number, answer: LeaseAnswer): void => {
    account.share += answer.granted
    account.lease = number
    if (account.recalled) void publish([returned(account)])
    else if (account.left > answer.most || answer.most === 0) void publish([account.keep(answer.most)])
    else account.most = answer.most
    if (answer.granted === 0) account.askAt = now() + pauseMs
  }

  return {
    of(name) {
      const known = find(name)
      if (known !== undefined) return known
      const fresh = new NodeAccount(name)
      accounts[name.account].set(name.id, fresh)
      return fresh
    },

    find,

    get trusted() {
      return now() < trustedUntil
    },

    trustUntil(time) {
      trustedUntil = time
    },

    take(needed, amount, spare) {
      const paying: NodeAccount[] = []
      for (const { account, id } of needed) {
        const one = accounts[account].get(id)
        if (one === undefined || one.left <= 0 || one.left < amount + spare) return undefined
        paying.push(one)
      }
      const time = now()
      if (time >= trustedUntil) return undefined
      for (const account of paying) {
        account.used += amount
        account.usedAt = time
      }
      return paying
    },

    renew(account, amount) {
      const { most, left } = account
      if (account.asking || (most > 0 && left * 2 >= most)) return
      const time = now()
      if (time < account.askAt) return
      account.usedAt = time
      account.asking = true
      account.recalled = false
      lastNumber += 1
      const number = lastNumber
      const asked = generation
      const use = Math.max(1, amount)
      const wanted = account.size.next(time, use)
      const request = { account: account.account, id: account.id, number, left, wanted, least: use * leastCalls }
      ask(request, (answer) => {
        account.asking = false
        if (asked === generation) granted(account, number, answer)
        else doubt([account])
      }).catch(() => {
        account.asking = false
        account.askAt = now() + pauseMs
      })
    },

    returnable: (names) => names.flatMap((name) => find(name) ?? []).filter(({ isReturnable }) => isReturnable),

    giveBack(names) {
      if (names === 'all') {
        return all()
          .filter(({ most, asking }) => most > 0 || asking)
          .map(returned)
      }
      return names.flatMap((name) => {
        const account = find(name)
        return account === undefined ? [] : returned(account)
      })
    },

    drop() {
      generation += 1
      const leased = all().filter(({ left, most }) => left > 0 || most > 0)
      for (const account of leased) account.keep(0)
      doubt(leased)
    },

    shares: () =>
      all().flatMap(({ account, id, share, most, lease }) =>
        share > 0 || most > 0 ? { account, id, pending: share, lease: most > 0 ? lease : 0 } : [],
      ),

    leased() {
      const leases = all().filter(({ most }) => most > 0)
      return { count: leases.length, quota: leases.reduce((sum, { left }) => sum + Math.max(0, left), 0) }
    },

    sweep() {
      const time = now()
      const idle = all().filter(({ most, usedAt }) => most > 0 && time - usedAt > idleMs)
      if (idle.length > 0) void publish(idle.map((account) => account.keep(0)))
      for (const account of all()) if (account.isIdle) accounts[account.account].delete(account.id)
    },
  }
}
