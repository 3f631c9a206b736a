import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '../../lib/app-error.ts'
import type { SerialQueue } from '../../lib/serial-queue.ts'
import type { HoldAnswer } from '../../relay/ports.ts'
import { createEpochCheck } from '../epoch/epoch-check.ts'
import type { Epoch } from '../epoch/stored-epoch.ts'
import type { AccountChange, AccountStore, OnRecall, Reservation } from './account-store.ts'
import {
  type AccountName,
  type Accounts,
  type AskedAmount,
  chargedAccounts,
  type NeededAccount,
  neededAccounts,
  type ReadBalances,
  refusal,
} from './accounts.ts'
import { createLeaseBook, type LeaseBook } from './leases/lease-book.ts'
import { createPendings, Pending } from './leases/pendings.ts'
import { createRecalls } from './leases/recalls.ts'
import { createNodeLife, type NodeLife } from './node-life.ts'
import { nameOf, openDelivery, type RedisDelivery } from './redis-delivery.ts'
import { openStoreRetries } from './store-retries.ts'

/** Calls of a store to its node. */
export interface StoreHooks {
  /** Unique to this run. */
  readonly node: string
  /** Names the history of the database that all commands concern, see `epoch/stored-epoch.ts`. */
  readonly epoch: () => string
  readonly graceMs: number
  /** Called for each connection after the first. */
  readonly onUp: () => void
  readonly onDown: (error: Error) => void
  readonly onRecall: OnRecall
}

export interface SharedAccountsParts {
  readonly queue: SerialQueue
  /** Must read versions. */
  readonly read: ReadBalances
  readonly openStore: (hooks: StoreHooks) => Promise<AccountStore>
  /** Separates the data of this database in Redis from that of others and of earlier copies. */
  readonly epoch: Epoch
  /** Unique among the nodes and the same after a restart. */
  readonly nodeName: string
  readonly warn: (message: string, fields: Readonly<Record<string, unknown>>) => void
  /** Milliseconds for which the reservations of a silent node count. */
  readonly graceMs?: number
  readonly beatMs?: number
  /** Milliseconds for which reservations wait after a store came back without its data, so that all nodes report their pending amounts first. */
  readonly settleMs?: number
  /**
   * Milliseconds for which a call without a lease waits for a store that was lost a moment ago; for one that was lost longer ago calls
   * do not wait.
   */
  readonly patienceMs?: number
}

type Refused = Extract<Reservation, { kind: 'refused' }>

const attempts = 8
/** Milliseconds that a movement waits for leases that a lowered balance ends. */
const briefMs = 500
const nameAlone = ({ account, id }: AccountName): AccountName => ({ account, id })

/**
 * Accounts that several nodes share in Redis, or several workers in the process that supervises them. Balances are ordered by version, so it does not matter whose news arrives
 * first; each node's pending sum is kept apart, so that a dead node's can be dropped.
 */
export const openSharedAccounts = async (parts: SharedAccountsParts): Promise<Accounts> => {
  const { queue, read, warn, graceMs = 60_000, beatMs = 2000, settleMs = 2500, patienceMs = 5000 } = parts
  const now = (): number => performance.now()
  const patience = openStoreRetries(patienceMs, now)
  let delivery: RedisDelivery | undefined
  let leases: LeaseBook | undefined
  let life: NodeLife | undefined
  const store = await parts.openStore({
    node: `${parts.nodeName}#${randomUUID()}`,
    epoch: () => parts.epoch.name,
    graceMs,
    onUp() {
      patience.found()
      void life?.reconnected()
    },
    onDown(error) {
      patience.lost()
      delivery?.fellBehind(error)
    },
    onRecall: (accounts) => void delivery?.publish(leases?.giveBack(accounts) ?? []),
  })
  const news = openDelivery({
    store,
    warn,
    shares: () => book.shares(),
    onShort: (accounts) => void bringBack(accounts),
  })
  delivery = news
  const book = createLeaseBook({ ask: news.lease, publish: news.publish, doubt: news.doubtShares, now })
  leases = book
  const recalls = createRecalls(store, now)

  /** Ends all leases of accounts. Resolves when they are back, or when others do not answer soon. */
  const bringBack = async (accounts: readonly AccountName[]): Promise<void> => {
    if (accounts.length === 0) return
    const recalled = Promise.all(accounts.map((account) => recalls.recall(book.of(account))))
    // Movements and charges wait for it in the queue, so a process that is busy for long must not hold them up.
    await Promise.all([
      news.publish(book.giveBack(accounts)),
      Promise.race([recalled, sleep(briefMs, undefined, { ref: false })]),
    ])
  }

  const check = createEpochCheck({
    epoch: parts.epoch,
    store,
    warn,
    // In the queue no balance is between its reading from one history and its sending to another.
    change: (name) =>
      queue.run(async () => {
        parts.epoch.use(name)
        news.startOver()
        book.drop()
      }),
  })
  const { nodeName } = parts
  const node = createNodeLife({ store, news, book, check, nodeName, graceMs, beatMs, settleMs, now, warn })
  life = node

  const publish = async (changes: readonly AccountChange[]): Promise<void> => bringBack(await news.publish(changes))
  const pendings = createPendings({ book, publish })

  /** Answers how many of the accounts exist. */
  const load = (accounts: readonly AccountName[]): Promise<number> =>
    queue.run(async () => {
      const balances = await read(accounts)
      await publish(balances.map((accountBalance) => ({ ...nameAlone(accountBalance), pending: 0, accountBalance })))
      return balances.length
    })

  /** Answers at once where leases cover the request. */
  const holdLeased = (accounts: readonly NeededAccount[], amount: number, spare: number): HoldAnswer | undefined => {
    const paying = book.take(accounts, amount, spare)
    return paying && { kind: 'held', hold: pendings.hold(paying, amount) }
  }

  /** Counts what was reserved in the store just now. */
  const reserved = (names: readonly AccountName[], amount: number): HoldAnswer => {
    const accounts = names.map((name) => book.of(name))
    for (const account of accounts) account.reserved(amount, now())
    return { kind: 'held', hold: pendings.hold(accounts, amount) }
  }

  const reserve = (request: AskedAmount, accounts: readonly NeededAccount[]): Promise<HoldAnswer | Reservation> => {
    const { amount, spare = 0, more = false } = request
    return news.reserve({ accounts, amount, spare, more }, (reservation) =>
      reservation.kind === 'held' ? reserved(reservation.accounts, amount) : reservation,
    )
  }

  /** The same, also where the store is being waited for. Throws AppError('recording_failed') where it does not answer. */
  const reserveInTime = (request: AskedAmount, accounts: readonly NeededAccount[]): Promise<HoldAnswer | Reservation> =>
    patience
      .ask<HoldAnswer | Reservation>(
        async () => {
          await node.settling
          return reserve(request, accounts)
        },
        // No reserve for other nodes while the store is unreachable: the lease may be used up.
        () => holdLeased(accounts, request.amount, 0),
        // Running calls must not wait.
        request.more !== true,
      )
      .catch((cause: unknown) => {
        throw new AppError('recording_failed', { cause })
      })

  /** Brings back what leases keep of the account that cannot pay; false where there is none. `returnable` are accounts as they were before. */
  const ended = async (
    { account, leased, abandoned }: Refused,
    returnable: readonly AccountName[],
  ): Promise<boolean> => {
    const own = book.of(account)
    // A rest that went back while the store decided is missing in its answer.
    const hasOwn = own.left > 0 || returnable.includes(own)
    // Sent before the commands below.
    if (own.left > 0) void news.publish(book.giveBack([own]))
    const isBack = leased && (await recalls.recall(own))
    const isTakenOver = abandoned && (await store.takenOver(own))
    return isBack || isTakenOver || hasOwn
  }

  /** Reads the balances that Redis does not have; answers a refusal when there is no such account. */
  const loadFor = async (request: AskedAmount, accounts: readonly AccountName[]): Promise<HoldAnswer | undefined> => {
    for (const account of accounts) if ((await load([account])) === 0) return refusal(account, 0, request)
    return undefined
  }

  const holdShared = async (request: AskedAmount, accounts: readonly NeededAccount[]): Promise<HoldAnswer> => {
    for (let attempt = 1; attempt <= attempts; attempt += 1) {
      const returnable = book.returnable(accounts)
      const answer = await reserveInTime(request, accounts)
      if (answer.kind === 'held') {
        if ('hold' in answer) return answer
        continue
      }
      if ('need' in answer) return answer
      if (answer.kind === 'refused') {
        const isLast = attempt === attempts || !(await ended(answer, returnable))
        if (isLast) return refusal(answer.account, answer.remain, request)
      }
      if (answer.kind === 'lost') {
        book.drop()
        await node.recover()
      }
      const missing = answer.kind === 'unknown' ? await loadFor(request, accounts) : undefined
      if (missing !== undefined) return missing
    }
    throw new AppError('recording_failed', { details: { reason: 'the shared balance could not be loaded' } })
  }

  await check()
  await node.begin()

  const holdAny = (request: AskedAmount, accounts: readonly NeededAccount[]): HoldAnswer | Promise<HoldAnswer> =>
    holdLeased(accounts, request.amount, Math.max(0, request.spare ?? 0)) ?? holdShared(request, accounts)

  return {
    hold: (request) => holdAny(request, neededAccounts(request)),

    reserve: (account, amount) => holdAny({ amount }, [{ ...account, unlessUnlimited: false }]),

    charging(record) {
      const { quota, hold } = record
      const pending = hold instanceof Pending ? hold : pendings.withoutHold(chargedAccounts(record))
      pendings.settle(pending, quota)
      record.hold = pending
    },

    leftOver(charges) {
      const changes = new Map<string, AccountChange>()
      for (const charge of charges) {
        const pending = pendings.withoutHold(chargedAccounts(charge))
        charge.hold = pending
        for (const part of pendings.charge(pending, charge.quota)) {
          const pending = changes.get(nameOf(part))?.pending ?? 0
          changes.set(nameOf(part), { ...part, pending: pending + part.pending })
        }
      }
      return publish([...changes.values()])
    },

    committed(records, balances) {
      const changes = new Map<string, AccountChange>()
      for (const accountBalance of balances) {
        changes.set(nameOf(accountBalance), { ...nameAlone(accountBalance), pending: 0, accountBalance })
      }
      for (const { hold } of records) {
        if (!(hold instanceof Pending)) continue
        for (const account of pendings.drop(hold)) {
          const name = nameOf(account)
          const change = changes.get(name) ?? { ...nameAlone(account), pending: 0, accountBalance: undefined }
          changes.set(name, { ...change, pending: change.pending - hold.amount })
        }
      }
      // Several nodes may commit in another order than they report; only the check can say whether the database went back.
      const highest = balances.reduce((most, { version }) => Math.max(most, version), 0)
      if (highest > 0) {
        const raised = store.raiseTip(highest)
        raised
          .then((isHighest) => (isHighest ? undefined : node.checkQuietly().then(node.catchUpIfBehind)))
          .catch(news.fellBehind)
      }
      return publish([...changes.values()])
    },

    async doubt(accounts) {
      await news.doubt(accounts)
      await bringBack(accounts)
    },

    async refresh(account, id) {
      await load([{ account, id }])
    },

    started: node.forgetEarlierRuns,

    open: pendings.open,
    leased: book.leased,

    async close() {
      node.stop()
      // The last entry is the best mark of this history.
      await node.checkQuietly()
      await news.publish(book.giveBack('all'))
      // Pending amounts count until the grace is over or the node has started again.
      if (news.confirmed && book.shares().length === 0) await store.leave().catch(() => undefined)
      store.close()
    },
  }
}
