import type { AccountChange, AccountName, AccountStore, Reservation, ReserveRequest } from './account-store.ts'
import type { AccountBalance } from './accounts.ts'

export interface DeliveryParts {
  readonly store: AccountStore
  /** What this node has pending, by account. */
  readonly shares: () => readonly (AccountName & { readonly pending: number })[]
  readonly warn: (message: string, fields: Readonly<Record<string, unknown>>) => void
}

/**
 * Brings this node's news to Redis. What may not have arrived is remembered and sent again as a whole: shares replace what
 * Redis has, and balances are ordered by version, so saying something twice does no harm.
 */
export interface Delivery {
  /**
   * `use` runs before a whole share can be sent: it must count what was reserved at once. Throws when Redis does not
   * answer.
   */
  reserve<T>(request: ReserveRequest, use: (reservation: Reservation) => T): Promise<T>
  publish(changes: readonly AccountChange[]): Promise<void>
  doubt(accounts: readonly AccountName[]): Promise<void>
  /**
   * Sends what Redis may have missed or lost, as it is now: what an earlier call is still sending may have been dropped
   * meanwhile, so it is sent once more.
   */
  catchUp(): Promise<void>
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

export const nameOf = ({ account, id }: AccountName): string => `${account} ${id}`

const pauseMs = 5

export const openDelivery = ({ store, shares, warn }: DeliveryParts): Delivery => {
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
    await Promise.all([
      store.doubt(news.filter(({ accountBalance }) => accountBalance === undefined)),
      store.change(loaded.map((entry) => ({ ...entry, pending: 0 }))),
    ])
    confirm(news)
  }

  const sendAll = async (): Promise<void> => {
    // A reservation on its way belongs to the share, but only its answer tells.
    while (reserving > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs))
    const doubtful = new Map(uncertain)
    const all = new Map([...doubtful].map(([name, account]) => [name, { ...account, pending: 0 }]))
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

  return {
    async reserve(request, use) {
      while (catchingUp !== undefined) await catchingUp
      reserving += 1
      try {
        return use(await store.reserve(request))
      } catch (error) {
        doubtShares([{ account: 'user', id: request.userId }])
        if (request.tokenId !== 0) doubtShares([{ account: 'token', id: request.tokenId }])
        fellBehind(error)
        throw error
      } finally {
        reserving -= 1
      }
    },

    async publish(changes) {
      if (changes.length === 0) return
      const news = changes.flatMap(({ account, id, accountBalance }) =>
        accountBalance === undefined ? [] : { account, id, accountBalance },
      )
      for (const entry of news) unconfirmed.set(nameOf(entry), entry)
      try {
        await store.change(changes)
        confirm(news)
      } catch (error) {
        doubtShares(changes)
        fellBehind(error)
      }
    },

    async doubt(accounts) {
      const news = accounts.map(({ account, id }): News => ({ account, id, accountBalance: undefined }))
      for (const entry of news) unconfirmed.set(nameOf(entry), entry)
      await deliver(news).catch(fellBehind)
    },

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
