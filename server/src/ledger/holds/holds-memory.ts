import type { SerialQueue } from '../../lib/serial-queue.ts'
import type { Hold, HoldAnswer, HoldRequest } from '../../relay/ports.ts'
import {
  type AccountBalance,
  type AccountKind,
  type Accounts,
  type Charging,
  type ReadBalances,
  refusal,
  refuses,
} from './accounts.ts'

interface Account {
  /** undefined until the database was asked. */
  balance: number | undefined
  pending: number
  unlimited: boolean
}

/** All reservations that are not settled. */
interface OpenSum {
  count: number
  quota: number
}

/** What one request has pending. */
class Pending implements Hold {
  private readonly open: OpenSum
  private readonly user: Account
  private readonly token: Account | undefined
  private amount = 0
  private state: 'held' | 'charged' | 'gone' = 'held'

  constructor(user: Account, token: Account | undefined, amount: number, open: OpenSum) {
    this.open = open
    open.count += 1
    open.quota += amount
    this.user = user
    this.token = token
    this.change(amount)
  }

  settle(charge: number): void {
    if (this.state !== 'held') return
    this.leaveOpen()
    this.change(charge)
    this.state = 'charged'
  }

  release(): void {
    if (this.state === 'held') this.drop()
  }

  drop(): void {
    if (this.state === 'held') this.leaveOpen()
    this.change(0)
    this.state = 'gone'
  }

  private leaveOpen(): void {
    this.open.count -= 1
    this.open.quota -= this.amount
  }

  private change(amount: number): void {
    this.user.pending += amount - this.amount
    if (this.token !== undefined) this.token.pending += amount - this.amount
    this.amount = amount
  }
}

const mostAccounts = 100_000

/** Accounts of a single node. A hold is answered at once when its accounts are known. */
export const openMemoryAccounts = ({ queue, read }: { queue: SerialQueue; read: ReadBalances }): Accounts => {
  const accounts = { user: new Map<number, Account>(), token: new Map<number, Account>() }

  const open: OpenSum = { count: 0, quota: 0 }

  const accountOf = (kind: AccountKind, id: number): Account => {
    const cached = accounts[kind].get(id)
    if (cached !== undefined) return cached
    const fresh: Account = { balance: undefined, pending: 0, unlimited: false }
    accounts[kind].set(id, fresh)
    if (accounts[kind].size > mostAccounts) forgetOldest(accounts[kind])
    return fresh
  }

  const isKnown = (kind: AccountKind, id: number): boolean => accounts[kind].get(id)?.balance !== undefined

  const take = ({ account, id, balance, unlimited }: AccountBalance): void => {
    const entry = accountOf(account, id)
    entry.balance = balance
    entry.unlimited = unlimited
  }

  const reserve = (request: HoldRequest): HoldAnswer => {
    const user = accountOf('user', request.userId)
    const token = request.tokenId === 0 ? undefined : accountOf('token', request.tokenId)
    const checked = token !== undefined && !(request.tokenUnlimited ?? token.unlimited) ? token : undefined
    const ofUser = (user.balance ?? 0) - user.pending
    if (refuses(ofUser, request)) return refusal('user', ofUser, request)
    const ofToken = checked === undefined ? Number.POSITIVE_INFINITY : (checked.balance ?? 0) - checked.pending
    if (refuses(ofToken, request)) return refusal('token', ofToken, request)
    return { kind: 'held', hold: new Pending(user, checked, request.amount, open) }
  }

  // Holds that wait for balances share one query: all that come until the queue is free for it.
  let wanted: { users: Set<number>; tokens: Set<number>; loaded: Promise<void> } | undefined
  const loaded = (request: HoldRequest): Promise<void> => {
    wanted ??= { users: new Set(), tokens: new Set(), loaded: queue.run(loadWanted) }
    if (!isKnown('user', request.userId)) wanted.users.add(request.userId)
    if (request.tokenId !== 0 && !isKnown('token', request.tokenId)) wanted.tokens.add(request.tokenId)
    return wanted.loaded
  }

  const loadWanted = async (): Promise<void> => {
    const batch = wanted
    wanted = undefined
    if (batch !== undefined)
      for (const accountBalance of await read([...batch.users], [...batch.tokens])) take(accountBalance)
  }

  const charging = (record: Charging): void => {
    const { userId, tokenId, quota, hold } = record
    if (hold instanceof Pending) {
      hold.settle(quota)
      return
    }
    const token = tokenId === 0 ? undefined : accountOf('token', tokenId)
    const pending = new Pending(accountOf('user', userId), token, 0, open)
    pending.settle(quota)
    record.hold = pending
  }

  return {
    hold(request) {
      const isLoaded = isKnown('user', request.userId) && (request.tokenId === 0 || isKnown('token', request.tokenId))
      return isLoaded ? reserve(request) : loaded(request).then(() => reserve(request))
    },

    charging,

    async leftOver(charges) {
      for (const charge of charges) charging(charge)
    },

    committed(records, balances) {
      for (const { hold } of records) if (hold instanceof Pending) hold.drop()
      for (const accountBalance of balances)
        if (accounts[accountBalance.account].has(accountBalance.id)) take(accountBalance)
    },

    doubt(doubtful) {
      for (const { account, id } of doubtful) {
        const entry = accounts[account].get(id)
        if (entry !== undefined) entry.balance = undefined
      }
    },

    refresh: (account, id) =>
      queue.run(async () => {
        const balances = account === 'user' ? await read([id], []) : await read([], [id])
        for (const accountBalance of balances) take(accountBalance)
      }),

    started: () => {},

    open: () => ({ ...open }),

    close: async () => {},
  }
}

/** Forgets what is idle, oldest first; what is in use goes to the end of the line. */
const forgetOldest = (accounts: Map<number, Account>): void => {
  let looked = 0
  for (const [id, account] of accounts) {
    accounts.delete(id)
    if (account.pending !== 0) accounts.set(id, account)
    looked += 1
    if (looked === 16) return
  }
}
