import type { LedgerTip } from '../epoch/epoch-check.ts'
import type { AccountChange, AccountName, AccountStore, Reservation, ReserveRequest } from './account-store.ts'
import type { AccountBalance } from './accounts.ts'
import { nameOf } from './redis-delivery.ts'

/** An account and what each worker has pending in it. */
interface SharedAccount {
  balance: number | undefined
  version: number
  unlimited: boolean
  readonly shares: Map<string, number>
}

/** What is known of one history of the database. */
interface History {
  readonly accounts: Map<string, SharedAccount>
  tip: LedgerTip
  closed: boolean
}

/** The accounts of several workers, in the memory of the process that supervises them. */
export interface MemoryStores {
  /** The accounts as a worker sees them; `epoch` names the history that its commands concern. */
  storeOf(node: string, epoch: () => string): AccountStore
  /** The worker's process is gone: what it had pending counts until another one of the same name has taken it over. */
  ended(node: string): void
}

const mostAccounts = 100_000
/** The one in use, and the one before for workers that have not changed yet. */
const mostHistories = 2

const pendingIn = ({ shares }: SharedAccount): number => {
  let sum = 0
  for (const share of shares.values()) sum += share
  return sum
}

const availableIn = (account: SharedAccount | undefined): number | undefined =>
  account?.balance === undefined ? undefined : account.balance - pendingIn(account)

const add = ({ shares }: SharedAccount, node: string, amount: number): void => {
  const sum = (shares.get(node) ?? 0) + amount
  if (sum <= 0) shares.delete(node)
  else shares.set(node, sum)
}

const take = (account: SharedAccount, { balance, version, unlimited }: AccountBalance): void => {
  if (account.version > version) return
  account.balance = balance
  account.version = version
  account.unlimited = unlimited
}

/** Forgets what has nothing pending, oldest first; what is in use goes to the end of the line. */
const forgetOldest = (accounts: Map<string, SharedAccount>): void => {
  let looked = 0
  for (const [name, account] of accounts) {
    accounts.delete(name)
    if (account.shares.size > 0) accounts.set(name, account)
    looked += 1
    if (looked === 16) return
  }
}

const accountOf = ({ accounts }: History, { account, id }: AccountName): SharedAccount => {
  const name = nameOf({ account, id })
  const existing = accounts.get(name)
  if (existing !== undefined) return existing
  const fresh: SharedAccount = { balance: undefined, version: 0, unlimited: false, shares: new Map() }
  accounts.set(name, fresh)
  if (accounts.size > mostAccounts) forgetOldest(accounts)
  return fresh
}

/** The same decisions as those of `redis-scripts.ts`, which see. */
const reserve = (history: History, node: string, request: ReserveRequest): Reservation => {
  const { userId, tokenId, tokenUnlimited, amount, spare, more } = request
  const refuses = (left: number): boolean => (left <= 0 && !more) || left < amount + spare
  const user = history.accounts.get(nameOf({ account: 'user', id: userId }))
  const ofUser = availableIn(user)
  if (user === undefined || ofUser === undefined) return { kind: 'unknown' }
  if (refuses(ofUser)) return { kind: 'refused', account: 'user', remain: ofUser }
  if (tokenId === 0 || tokenUnlimited === true) {
    add(user, node, amount)
    return { kind: 'held', tokenChecked: false }
  }
  const token = history.accounts.get(nameOf({ account: 'token', id: tokenId }))
  const ofToken = availableIn(token)
  if (token === undefined || ofToken === undefined) return { kind: 'unknown' }
  const tokenChecked = tokenUnlimited === false || !token.unlimited
  if (tokenChecked && refuses(ofToken)) return { kind: 'refused', account: 'token', remain: ofToken }
  add(user, node, amount)
  if (tokenChecked) add(token, node, amount)
  return { kind: 'held', tokenChecked }
}

const change = (history: History, node: string, changes: readonly AccountChange[]): void => {
  for (const { account, id, pending, accountBalance } of changes) {
    const entry = accountOf(history, { account, id })
    // Less of nothing is nothing: the share was dropped with an earlier run of this worker.
    if (pending > 0 || entry.shares.has(node)) add(entry, node, pending)
    if (accountBalance !== undefined) take(entry, accountBalance)
  }
}

export const openMemoryStores = (): MemoryStores => {
  const histories = new Map<string, History>()
  const gone = new Set<string>()

  const historyOf = (epoch: string): History => {
    const existing = histories.get(epoch)
    if (existing !== undefined) return existing
    const fresh: History = { accounts: new Map(), tip: { highest: 0, mark: undefined }, closed: false }
    histories.set(epoch, fresh)
    const [oldest] = histories.keys()
    if (histories.size > mostHistories && oldest !== undefined) histories.delete(oldest)
    return fresh
  }

  const forget = (node: string): void => {
    gone.delete(node)
    for (const { accounts } of histories.values()) for (const { shares } of accounts.values()) shares.delete(node)
  }

  return {
    ended: (node) => void gone.add(node),

    storeOf(node, epoch) {
      const history = (): History => historyOf(epoch())
      return {
        reserve: async (request) => (history().closed ? { kind: 'lost' } : reserve(history(), node, request)),
        change: async (changes) => change(history(), node, changes),
        doubt: async (accounts) => {
          for (const name of accounts) accountOf(history(), name).balance = undefined
        },
        beat: async () => !history().closed,
        share: async (shares) => {
          if (history().closed) return
          for (const { pending, ...name } of shares) {
            const account = accountOf(history(), name)
            account.shares.delete(node)
            add(account, node, pending)
          }
        },
        forgetSilent: async (namePrefix) => {
          for (const name of [...gone]) if (name !== node && name.startsWith(namePrefix)) forget(name)
        },
        leave: async () => forget(node),
        tip: async () => history().tip,
        raiseTip: async (highest, mark) => {
          const { tip } = history()
          const isNewer = mark !== undefined && mark.id > (tip.mark?.id ?? 0)
          history().tip = { highest: Math.max(highest, tip.highest), mark: isNewer ? mark : tip.mark }
          return highest >= tip.highest
        },
        closeEpoch: async () => {
          history().closed = true
        },
        close: () => undefined,
      }
    },
  }
}
