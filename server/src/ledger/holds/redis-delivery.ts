import type {
  AccountChange,
  AccountShare,
  AccountStore,
  LeaseAnswer,
  LeaseRequest,
  Reservation,
  ReserveRequest,
} from './account-store.ts'
import type { AccountBalance, AccountName } from './accounts.ts'

interface DeliveryParts {
  readonly store: AccountStore
  /** This node's holds and leases, by account. */
  readonly shares: () => readonly AccountShare[]
  /** Leases of these accounts must come back, since their balance does not cover them any more. */
  readonly onShort: (accounts: readonly AccountName[]) => void
  readonly warn: (message: string, fields: Readonly<Record<string, unknown>>) => void
}

/**
 * Brings this node's news to Redis. What may not have arrived is remembered and sent again as a whole: shares replace what
 * Redis has, and balances are ordered by version, so saying something twice does no harm.
 */
export interface RedisDelivery {
  /**
   * `use` runs before a whole share can be sent: it must count what was reserved at once. Throws when Redis does not
   * answer.
   */
  reserve<T>(request: ReserveRequest, use: (reservation: Reservation) => T): Promise<T>
  /** The same for a lease. */
  lease<T>(request: LeaseRequest, use: (answer: LeaseAnswer) => T): Promise<T>
  /** Answers accounts whose leases must come back, since their balance does not cover them any more. */
  publish(changes: readonly AccountChange[]): Promise<readonly AccountName[]>
  doubt(accounts: readonly AccountName[]): Promise<void>
  /**
   * Sends what Redis may have missed or lost, as it is now: what an earlier call is still sending may have been dropped
   * meanwhile, so it is sent once more.
   */
  catchUp(): Promise<void>
  /** The store may have another share of this node than the node itself. */
  doubtShares(accounts: readonly AccountName[]): void
  /** Treats everything sent before as not sent: Redis knows nothing yet of the epoch that has begun. */
  startOver(): void
  fellBehind(error: unknown): void
  /** Redis has missed something. */
  readonly behind: boolean
  /** Redis has confirmed everything. */
  readonly confirmed: boolean
}

interface News extends AccountName {
  /** undefined where the balance is in doubt. */
  readonly accountBalance: AccountBalance | undefined
}

/** Key of an account in maps: `user 7`. */
export const nameOf = ({ account, id }: AccountName): string => `${account} ${id}`

const pauseMs = 5

export const openDelivery = ({ store, shares, onShort, warn }: DeliveryParts): RedisDelivery => {
  /** The latest news of each account that Redis has not confirmed. */
  const unconfirmed = new Map<string, News>()
  /** Accounts in which Redis may have another share of this node than the node itself. */
  const uncertain = new Map<string, AccountName>()
  let behind = false
  let reserving = 0
  let catchingUp: Promise<void> | undefined
  let isOutdated = false

  const fellBehind = (error: unknown): void => {
    if (!behind) warn('redis_delivery_delayed', { error })
    behind = true
  }

  const doubtShares = (accounts: readonly AccountName[]): void => {
    for (const { account, id } of accounts) uncertain.set(nameOf({ account, id }), { account, id })
  }

  const confirm = (news: readonly News[]): void => {
    for (const entry of news) if (unconfirmed.get(nameOf(entry)) === entry) unconfirmed.delete(nameOf(entry))
  }

  const deliver = async (news: readonly News[]): Promise<void> => {
    const loaded = news.filter(({ accountBalance }) => accountBalance !== undefined)
    const [short] = await Promise.all([
      store.change(loaded.map((entry) => ({ ...entry, pending: 0 }))),
      store.doubt(news.filter(({ accountBalance }) => accountBalance === undefined)),
    ])
    confirm(news)
    if (short.length > 0) onShort(short)
  }

  const sendAll = async (): Promise<void> => {
    // A reservation on its way belongs to the share, but only its answer tells.
    while (reserving > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs))
    const doubtful = new Map(uncertain)
    const all = new Map([...doubtful].map(([name, account]) => [name, { ...account, pending: 0, lease: 0 }]))
    for (const share of shares()) all.set(nameOf(share), share)
    uncertain.clear()
    behind = false
    try {
      await Promise.all([store.share([...all.values()]), deliver([...unconfirmed.values()])])
    } catch (error) {
      doubtShares([...doubtful.values()])
      throw error
    }
  }

  const sendUntilCurrent = async (): Promise<void> => {
    do {
      isOutdated = false
      await sendAll().catch(fellBehind)
    } while (isOutdated)
    // In the same tick as the last look at `isOutdated`, so that no call is lost between them.
    catchingUp = undefined
  }

  /** Asks something that adds to this node's share. */
  const ask = async <A, T>(
    accounts: readonly AccountName[],
    question: () => Promise<A>,
    use: (answer: A) => T,
  ): Promise<T> => {
    while (catchingUp !== undefined) await catchingUp
    reserving += 1
    try {
      return use(await question())
    } catch (error) {
      doubtShares(accounts)
      fellBehind(error)
      throw error
    } finally {
      reserving -= 1
    }
  }

  return {
    reserve(request, use) {
      return ask(request.accounts, () => store.reserve(request), use)
    },

    lease: (request, use) => ask([request], () => store.lease(request), use),

    async publish(changes) {
      if (changes.length === 0) return []
      const news = changes.flatMap(({ account, id, accountBalance }) =>
        accountBalance === undefined ? [] : { account, id, accountBalance },
      )
      for (const entry of news) unconfirmed.set(nameOf(entry), entry)
      try {
        const short = await store.change(changes)
        confirm(news)
        return short
      } catch (error) {
        doubtShares(changes)
        fellBehind(error)
        return []
      }
    },

    async doubt(accounts) {
      const news = accounts.map(({ account, id }): News => ({ account, id, accountBalance: undefined }))
      for (const entry of news) unconfirmed.set(nameOf(entry), entry)
      await deliver(news).catch(fellBehind)
    },

    doubtShares,

    catchUp() {
      if (catchingUp === undefined) catchingUp = sendUntilCurrent()
      else isOutdated = true
      return catchingUp
    },

    startOver() {
      unconfirmed.clear()
      uncertain.clear()
      behind = true
    },

    fellBehind,

    get behind() {
      return behind
    },

    get confirmed() {
      return !behind && unconfirmed.size === 0
    },
  }
}
