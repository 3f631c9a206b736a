import { randomUUID } from 'node:crypto'
import { AppError } from '../../lib/app-error.ts'
import type { SerialQueue } from '../../lib/serial-queue.ts'
import type { Hold, HoldAnswer, HoldRequest } from '../../relay/ports.ts'
import { createEpochCheck } from '../epoch/epoch-check.ts'
import type { Epoch } from '../epoch/stored-epoch.ts'
import type { AccountChange, AccountName, AccountStore } from './account-store.ts'
import { type Accounts, type ReadBalances, refusal } from './accounts.ts'
import { type Delivery, nameOf, openDelivery } from './redis-delivery.ts'

/** What a store needs of its node, and reports to it. */
export interface StoreHooks {
  /** Unique to this run. */
  readonly node: string
  /** Names the history of the database that all commands concern, see `epoch/stored-epoch.ts`. */
  readonly epoch: () => string
  readonly graceMs: number
  /** For each connection after the first. */
  readonly onUp: () => void
  readonly onDown: (error: Error) => void
}

export interface SharedAccountsParts {
  readonly queue: SerialQueue
  /** Must read versions. */
  readonly read: ReadBalances
  readonly openStore: (hooks: StoreHooks) => Promise<AccountStore>
  /** Keeps what Redis knows of this database apart from what it knows of others and of earlier copies. */
  readonly epoch: Epoch
  /** Unique among the nodes and the same after a restart. */
  readonly nodeName: string
  readonly warn: (message: string, fields: Readonly<Record<string, unknown>>) => void
  /** How long a silent node's reservations still count. */
  readonly graceMs?: number
  readonly beatMs?: number
}

/** What one request of this node has pending. */
class Pending implements Hold {
  readonly accounts: readonly AccountName[]
  readonly release: () => void
  amount: number
  state: 'held' | 'charged' | 'gone' = 'held'

  constructor(accounts: readonly AccountName[], amount: number, release: (pending: Pending) => void) {
    this.accounts = accounts
    this.amount = amount
    this.release = () => release(this)
  }
}

const attempts = 5
const nameAlone = ({ account, id }: AccountName): AccountName => ({ account, id })

const accountsOf = (userId: number, tokenId: number): AccountName[] =>
  tokenId === 0
    ? [{ account: 'user', id: userId }]
    : [
        { account: 'user', id: userId },
        { account: 'token', id: tokenId },
      ]

const optional = ({ tokenUnlimited, spare = 0, more = false }: HoldRequest) => ({ tokenUnlimited, spare, more })

/**
 * Accounts that several nodes share in Redis, or several workers in the process that supervises them. Balances are ordered by version, so it does not matter whose news arrives
 * first; each node's pending sum is kept apart, so that a dead node's can be dropped.
 */
export const openSharedAccounts = async (parts: SharedAccountsParts): Promise<Accounts> => {
  const { queue, read, warn, graceMs = 60_000, beatMs = 2000 } = parts
  const pendings = new Set<Pending>()
  let delivery: Delivery | undefined
  const store = await parts.openStore({
    node: `${parts.nodeName}#${randomUUID()}`,
    epoch: () => parts.epoch.name,
    graceMs,
    onUp: () => void recover(),
    onDown: (error) => delivery?.fellBehind(error),
  })
  const news = openDelivery({ store, warn, shares: () => sharesOf(pendings) })
  delivery = news

  const check = createEpochCheck({
    epoch: parts.epoch,
    store,
    warn,
    // In the queue no balance is between its reading from one history and its sending to another.
    change: (name) =>
      queue.run(async () => {
        parts.epoch.use(name)
        news.startOver()
      }),
  })
  /** Without an answer of the database the epoch stays as it is; balances cannot be read then either. */
  let isUnchecked = false
  const checkQuietly = async (): Promise<void> => {
    try {
      await check()
      isUnchecked = false
    } catch (error) {
      if (!isUnchecked) warn('database_epoch_unchecked', { error })
      isUnchecked = true
    }
  }
  const recover = async (): Promise<void> => {
    await checkQuietly()
    await news.catchUp()
  }

  const change = (pending: Pending, amount: number): AccountChange[] => {
    const difference = amount - pending.amount
    pending.amount = amount
    if (difference === 0) return []
    return pending.accounts.map((account) => ({ ...account, pending: difference, accountBalance: undefined }))
  }

  const settle = (pending: Pending, charge: number): void => {
    if (pending.state !== 'held') return
    pending.state = 'charged'
    void news.publish(change(pending, charge))
  }

  const drop = (pending: Pending): AccountChange[] => {
    pending.state = 'gone'
    pendings.delete(pending)
    return change(pending, 0)
  }

  const release = (pending: Pending): void => {
    if (pending.state === 'held') void news.publish(drop(pending))
  }

  const pend = (accounts: readonly AccountName[], amount: number): Pending => {
    const pending = new Pending(accounts, amount, release)
    pendings.add(pending)
    return pending
  }

  const held = ({ userId, tokenId, amount }: HoldRequest, tokenChecked: boolean): Hold =>
    pend(accountsOf(userId, tokenChecked ? tokenId : 0), amount)

  /** Answers how many of the accounts exist. */
  const load = (users: readonly number[], tokens: readonly number[]): Promise<number> =>
    queue.run(async () => {
      const balances = await read(users, tokens)
      await news.publish(
        balances.map((accountBalance) => ({ ...nameAlone(accountBalance), pending: 0, accountBalance })),
      )
      return balances.length
    })

  const reserve = (request: HoldRequest): Promise<HoldAnswer | 'unknown' | 'lost'> =>
    news.reserve({ ...request, ...optional(request) }, (reservation) => {
      if (reservation.kind === 'held') return { kind: 'held', hold: held(request, reservation.tokenChecked) }
      if (reservation.kind === 'refused') return refusal(reservation.account, reservation.remain, request)
      return reservation.kind
    })

  /** Reads the balances that Redis does not have; answers a refusal when there is no such account. */
  const loadFor = async (request: HoldRequest): Promise<HoldAnswer | undefined> => {
    if ((await load([request.userId], [])) === 0) return refusal('user', 0, request)
    if (request.tokenId !== 0 && (await load([], [request.tokenId])) === 0) return refusal('token', 0, request)
    return undefined
  }

  const hold = async (request: HoldRequest): Promise<HoldAnswer> => {
    for (let attempt = 1; attempt <= attempts; attempt += 1) {
      const answer = await reserve(request).catch((cause: unknown) => {
        throw new AppError('recording_failed', { cause })
      })
      if (typeof answer === 'object') return answer
      if (answer === 'lost') await recover()
      const missing = answer === 'unknown' ? await loadFor(request) : undefined
      if (missing !== undefined) return missing
    }
    throw new AppError('recording_failed', { details: { reason: 'the shared balance could not be loaded' } })
  }

  const catchUpIfBehind = (): Promise<void> | undefined => (news.behind ? news.catchUp() : undefined)

  const beat = (): void => {
    // Not after the check: a database that does not answer must not make the others take this node for dead.
    store
      .beat()
      .then((lived) => (lived ? catchUpIfBehind() : news.catchUp()))
      .catch(news.fellBehind)
    void checkQuietly().then(catchUpIfBehind)
  }
  await check()
  await store.beat()
  const timer = setInterval(beat, beatMs)
  timer.unref()
  let later: NodeJS.Timeout | undefined

  return {
    hold,

    charging(record) {
      const { userId, tokenId, quota, hold } = record
      const pending = hold instanceof Pending ? hold : pend(accountsOf(userId, tokenId), 0)
      settle(pending, quota)
      record.hold = pending
    },

    leftOver(charges) {
      const changes = new Map<string, AccountChange>()
      for (const charge of charges) {
        const pending = pend(accountsOf(charge.userId, charge.tokenId), 0)
        pending.state = 'charged'
        charge.hold = pending
        for (const part of change(pending, charge.quota)) {
          const pending = changes.get(nameOf(part))?.pending ?? 0
          changes.set(nameOf(part), { ...part, pending: pending + part.pending })
        }
      }
      return news.publish([...changes.values()])
    },

    committed(records, balances) {
      const changes = new Map<string, AccountChange>()
      for (const accountBalance of balances) {
        changes.set(nameOf(accountBalance), { ...nameAlone(accountBalance), pending: 0, accountBalance })
      }
      for (const { hold } of records) {
        if (!(hold instanceof Pending)) continue
        for (const part of drop(hold)) {
          const change = changes.get(nameOf(part)) ?? { ...part, pending: 0 }
          changes.set(nameOf(part), { ...change, pending: change.pending + part.pending })
        }
      }
      // Several nodes may commit in another order than they report; only the check can say whether the database went back.
      const highest = balances.reduce((most, { version }) => Math.max(most, version), 0)
      if (highest > 0) {
        const raised = store.raiseTip(highest)
        raised
          .then((isHighest) => (isHighest ? undefined : checkQuietly().then(catchUpIfBehind)))
          .catch(news.fellBehind)
      }
      return news.publish([...changes.values()])
    },

    doubt: (accounts) => news.doubt(accounts),

    async refresh(account, id) {
      await (account === 'user' ? load([id], []) : load([], [id]))
    },

    started() {
      // A process that died a moment ago may have shown life just before: asked again when it has been silent for a while.
      const forget = async (): Promise<void> => {
        // Redis must know this run's share of what an earlier run had pending before it drops that.
        if (news.behind) await news.catchUp()
        if (!news.behind) await store.forgetSilent(`${parts.nodeName}#`, beatMs * 3).catch(news.fellBehind)
      }
      void forget()
      later = setTimeout(() => void forget(), beatMs * 4)
      later.unref()
    },

    open() {
      const held = [...pendings].filter(({ state }) => state === 'held')
      return { count: held.length, quota: held.reduce((sum, { amount }) => sum + amount, 0) }
    },

    async close() {
      clearInterval(timer)
      clearTimeout(later)
      // The last entry is the best mark of this history.
      await checkQuietly()
      // What is still pending counts until the grace is over or the node has started again.
      if (news.confirmed && sharesOf(pendings).length === 0) await store.leave().catch(() => undefined)
      store.close()
    },
  }
}

const sharesOf = (pendings: ReadonlySet<Pending>): (AccountName & { pending: number })[] => {
  const sums = new Map<string, AccountName & { pending: number }>()
  for (const { accounts, amount } of pendings) {
    for (const account of accounts) {
      const pending = sums.get(nameOf(account))?.pending ?? 0
      sums.set(nameOf(account), { ...account, pending: pending + amount })
    }
  }
  return [...sums.values()].filter(({ pending }) => pending > 0)
}
