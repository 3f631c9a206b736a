import { setTimeout as sleep } from 'node:timers/promises'
import { largestLease } from '../../lib/leases/lease-size.ts'
import type { LedgerTip } from '../epoch/epoch-check.ts'
import type {
  AccountChange,
  AccountStore,
  LeaseAnswer,
  LeaseRequest,
  OnRecall,
  Reservation,
  ReserveRequest,
} from './account-store.ts'
import type { AccountBalance, AccountName } from './accounts.ts'
import { nameOf } from './redis-delivery.ts'

/** An account with the pending and leased amounts of each worker. */
interface SharedAccount {
  balance: number | undefined
  version: number
  unlimited: boolean
  readonly shares: Map<string, number>
  /** The number of the last lease of each worker that has not returned it. */
  readonly leases: Map<string, number>
}

/** State of one history of the database. */
interface History {
  readonly accounts: Map<string, SharedAccount>
  tip: LedgerTip
  closed: boolean
}

/** The accounts of several workers, in the memory of the process that supervises them. */
export interface MemoryStores {
  /** The accounts as a worker sees them; `epoch` names the history that its commands concern. */
  storeOf(node: string, epoch: () => string, onRecall: OnRecall): AccountStore
  /**
   * The worker's process has ended: its pending amounts count until a replacement of the same name has taken over. Calls that the rest
   * does not cover wait for that, at most `workerWaitMs`.
   */
  ended(node: string): void
}

const mostAccounts = 100_000
/**
 * Milliseconds for which calls wait for quota of another worker: a live one returns its leases as soon as it is not busy, a dead one has
 * been replaced by then.
 */
export const workerWaitMs = 10_000
/** Milliseconds after which calls begin although a worker has not read its journal: one that cannot start must not block the others. */
const mostSettleMs = 30_000
const noLease: LeaseAnswer = { granted: 0, most: 0 }
/** The current history, and the previous one for workers that have not changed yet. */
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

/** Evicts accounts without pending amounts, least recently used first. */
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
  const fresh: SharedAccount = {
    balance: undefined,
    version: 0,
    unlimited: false,
    shares: new Map(),
    leases: new Map(),
  }
  accounts.set(name, fresh)
  if (accounts.size > mostAccounts) forgetOldest(accounts)
  return fresh
}

/** True if more is leased and held than the balance has. */
const isShort = (account: SharedAccount): boolean => account.leases.size > 0 && (availableIn(account) ?? 0) < 0

/** Shares of other processes in an account that may become free. */
interface Beside {
  leased(account: SharedAccount): boolean
  abandoned(account: SharedAccount): boolean
}

/** The same decisions as those of `redis-scripts.ts`, which see. */
const reserve = (history: History, node: string, request: ReserveRequest, beside: Beside): Reservation => {
  const { amount, spare, more } = request
  const refuses = (left: number): boolean => (left <= 0 && !more) || left < amount + spare
  const holding: SharedAccount[] = []
  const names: AccountName[] = []
  for (const { account, id, unlessUnlimited } of request.accounts) {
    const name = { account, id }
    const shared = history.accounts.get(nameOf(name))
    const available = availableIn(shared)
    if (shared === undefined || available === undefined) return { kind: 'unknown' }
    if (unlessUnlimited && shared.unlimited) continue
    if (refuses(available)) {
      const others = { leased: beside.leased(shared), abandoned: beside.abandoned(shared) }
      return { kind: 'refused', account: name, remain: available, ...others }
    }
    holding.push(shared)
    names.push(name)
  }
  for (const shared of holding) add(shared, node, amount)
  return { kind: 'held', accounts: names }
}

const lease = (history: History, node: string, request: LeaseRequest, nodes: number): LeaseAnswer => {
  const { number, left, wanted, least } = request
  const account = history.accounts.get(nameOf(request))
  const available = availableIn(account)
  if (account === undefined || available === undefined) return noLease
  const most = Math.min(wanted, largestLease(available + left, nodes, least))
  const granted = Math.max(0, most - left)
  if (granted > 0) {
    add(account, node, granted)
    account.leases.set(node, number)
  }
  return { granted, most }
}

const change = (history: History, node: string, changes: readonly AccountChange[]): AccountName[] => {
  const short: AccountName[] = []
  for (const { account, id, pending, accountBalance, returned = 0 } of changes) {
    const entry = accountOf(history, { account, id })
    // A reduction of a missing share is ignored: it was dropped with an earlier run of this worker.
    if (pending > 0 || entry.shares.has(node)) add(entry, node, pending)
    if ((entry.leases.get(node) ?? Number.POSITIVE_INFINITY) <= returned) entry.leases.delete(node)
    if (accountBalance !== undefined) {
      take(entry, accountBalance)
      if (isShort(entry)) short.push({ account, id })
    }
  }
  return short
}

/** `left` are names of workers in whose journals an earlier run of the primary process may have left charges. */
export const openMemoryStores = (left: readonly string[] = []): MemoryStores => {
  const histories = new Map<string, History>()
  /** Processes that ended; resolves with true when another has taken over, and with false when that takes too long. */
  const gone = new Map<string, { readonly over: Promise<boolean>; takenOver(): void }>()
  const nodes = new Map<string, OnRecall>()
  /** Beginnings of the names of workers whose charges this process does not know yet. */
  const uncounted = new Set(left.map((name) => `${name}#`))
  const counted = Promise.withResolvers<void>()
  const settled =
    uncounted.size === 0
      ? Promise.resolve()
      : Promise.race([counted.promise, sleep(mostSettleMs, undefined, { ref: false })])

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
    const hasDied = gone.has(node)
    nodes.delete(node)
    for (const { accounts } of histories.values()) {
      for (const account of accounts.values()) {
        // Its pending amounts may be in the database already, without notice here: the balance has to be read again.
        if (account.shares.delete(node) && hasDied) account.balance = undefined
        account.leases.delete(node)
      }
    }
    gone.get(node)?.takenOver()
    gone.delete(node)
  }

  const abandoned = ({ shares }: SharedAccount): boolean => {
    if (gone.size > 0) for (const node of shares.keys()) if (gone.has(node)) return true
    return false
  }

  return {
    ended(node) {
      const { promise, resolve } = Promise.withResolvers<boolean>()
      const over = Promise.race([promise, sleep(workerWaitMs, false, { ref: false })])
      gone.set(node, { over, takenOver: () => resolve(true) })
      // The rest of its leases cannot be returned; it counts as pending until the next run has taken over.
      nodes.delete(node)
      for (const { accounts } of histories.values()) for (const { leases } of accounts.values()) leases.delete(node)
    },

    storeOf(node, epoch, onRecall) {
      nodes.set(node, onRecall)
      const history = (): History => historyOf(epoch())
      const leasedBeside = ({ leases }: SharedAccount): boolean => leases.size > (leases.has(node) ? 1 : 0)
      return {
        reserve: async (request) =>
          history().closed ? { kind: 'lost' } : reserve(history(), node, request, { leased: leasedBeside, abandoned }),
        // Messages of a worker may arrive after its end.
        lease: async (request) =>
          history().closed || !nodes.has(node) ? noLease : lease(history(), node, request, nodes.size),
        change: async (changes) => change(history(), node, changes),
        recall: async (accounts) => {
          const leased = accounts.filter((name) => leasedBeside(accountOf(history(), name)))
          for (const name of leased)
            for (const other of accountOf(history(), name).leases.keys()) if (other !== node) nodes.get(other)?.([name])
          return leased
        },
        recallMs: workerWaitMs,
        takenOver: async (name) => {
          const { shares } = accountOf(history(), name)
          const ends = await Promise.all([...shares.keys()].flatMap((other) => gone.get(other)?.over ?? []))
          return ends.every(Boolean)
        },
        settled: () => settled,
        doubt: async (accounts) => {
          for (const name of accounts) accountOf(history(), name).balance = undefined
        },
        beat: async () => !history().closed,
        share: async (shares) => {
          if (history().closed) return
          for (const { pending, lease: number, ...name } of shares) {
            const account = accountOf(history(), name)
            account.shares.delete(node)
            account.leases.delete(node)
            add(account, node, pending)
            if (number > 0) account.leases.set(node, number)
          }
        },
        forgetSilent: async (namePrefix) => {
          // It has counted the charges of its journal.
          if (uncounted.delete(namePrefix) && uncounted.size === 0) counted.resolve()
          for (const name of [...gone.keys()]) if (name !== node && name.startsWith(namePrefix)) forget(name)
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
          for (const [other, recall] of nodes) if (other !== node) recall('all')
        },
        close: () => undefined,
      }
    },
  }
}
