import { setImmediate as turn } from 'node:timers/promises'
import type { Epoch } from '../../../src/ledger/epoch/stored-epoch.ts'
import type { AccountStore } from '../../../src/ledger/holds/account-store.ts'
import type { AccountBalance, AccountName, Accounts } from '../../../src/ledger/holds/accounts.ts'
import { openMemoryStores } from '../../../src/ledger/holds/memory-store.ts'
import { openSharedAccounts, type StoreHooks } from '../../../src/ledger/holds/shared-accounts.ts'
import { createSerialQueue } from '../../../src/lib/serial-queue.ts'

export interface SiteWorker {
  readonly accounts: Accounts
  /** Ends it like SIGKILL: what it has sent arrives, nothing else does, and the primary notices. */
  kill(): void
}

/** A change of a balance by a movement. */
export interface Moved extends AccountName {
  readonly by: number
}

/** Workers of a node whose primary process, pipes and database are in this process. */
export interface WorkerSite {
  /** A first worker of this name, or the replacement of one that was killed. */
  openWorker(name: string): Promise<SiteWorker>
  /** Changes balances in the database, as a transaction does; answers what it read then. */
  move(changes: readonly Moved[]): readonly AccountBalance[]
  balanceOf(name: AccountName): number
  /** How often workers have asked the primary, by the name of the question. */
  readonly asked: ReadonlyMap<string, number>
  /** Replaces the primary process by a new one, which knows nothing but who may have left charges; its workers are to be killed first. */
  replacePrimary(left: readonly string[]): void
}

const keyOf = ({ account, id }: AccountName): string => `${account} ${id}`

/** A message takes a turn of the event loop each way, as between processes. */
const distant = (store: AccountStore, isAlive: () => boolean, note: (question: string) => void): AccountStore => {
  const sent = async <T>(question: string, ask: () => Promise<T>): Promise<T> => {
    if (!isAlive()) return new Promise<T>(() => undefined)
    note(question)
    await turn()
    const answer = await ask()
    await turn()
    return isAlive() ? answer : new Promise<T>(() => undefined)
  }
  return {
    ...store,
    reserve: (request) => sent('reserve', () => store.reserve(request)),
    lease: (request) => sent('lease', () => store.lease(request)),
    change: (changes) => sent('change', () => store.change(changes)),
    doubt: (accounts) => sent('doubt', () => store.doubt(accounts)),
    recall: (accounts) => sent('recall', () => store.recall(accounts)),
    takenOver: (account) => sent('takenOver', () => store.takenOver(account)),
    settled: () => sent('settled', () => store.settled()),
    beat: () => sent('beat', () => store.beat()),
    share: (shares) => sent('share', () => store.share(shares)),
    forgetSilent: (prefix, ms) => sent('forgetSilent', () => store.forgetSilent(prefix, ms)),
    raiseTip: (highest, mark) => sent('raiseTip', () => store.raiseTip(highest, mark)),
  }
}

export const openWorkerSite = (balances: readonly Omit<AccountBalance, 'version'>[]): WorkerSite => {
  let stores = openMemoryStores()
  let version = 1
  const rows = new Map(balances.map((row) => [keyOf(row), { ...row, version }]))
  const asked = new Map<string, number>()
  const epoch: Epoch = {
    name: 'one',
    read: async () => 'one',
    use: () => undefined,
    renew: async () => 'two',
    lastEntry: async () => ({ id: version, movement: 'last' }),
    movementOf: async () => 'last',
  }
  const read = async (names: readonly AccountName[]): Promise<AccountBalance[]> =>
    names.flatMap((name) => rows.get(keyOf(name)) ?? [])

  return {
    asked,

    async openWorker(name) {
      let node = ''
      let alive = true
      const primary = stores
      const accounts = await openSharedAccounts({
        queue: createSerialQueue(),
        read,
        epoch,
        nodeName: name,
        patienceMs: 0,
        warn: () => undefined,
        openStore: async (hooks: StoreHooks) => {
          node = hooks.node
          const store = primary.storeOf(
            node,
            () => 'one',
            (names) => void turn().then(() => alive && hooks.onRecall(names)),
          )
          return distant(
            store,
            () => alive,
            (question) => void asked.set(question, (asked.get(question) ?? 0) + 1),
          )
        },
      })
      return {
        accounts,
        kill() {
          alive = false
          primary.ended(node)
          // Its signs of life end; nothing that this sends arrives.
          void accounts.close()
        },
      }
    },

    move(changes) {
      version += 1
      return changes.flatMap(({ by, ...name }) => {
        const row = rows.get(keyOf(name))
        if (row === undefined) return []
        const next = { ...row, balance: row.balance + by, version }
        rows.set(keyOf(name), next)
        return next
      })
    },

    balanceOf: (name) => rows.get(keyOf(name))?.balance ?? 0,

    replacePrimary(left) {
      stores = openMemoryStores(left)
    },
  }
}
