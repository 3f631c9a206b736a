import type { SerialQueue } from '../../lib/serial-queue.ts'
import type { Hold, HoldAnswer, HoldRequest } from '../../relay/ports.ts'
import {
  type AccountBalance,
  type AccountKind,
  type AccountName,
  type Accounts,
  type AskedAmount,
  type Charging,
  chargedAccounts,
  type NeededAccount,
  neededAccounts,
  type ReadBalances,
  refusal,
  refuses,
} from './accounts.ts'

interface Account {
  /** undefined until it was read from the database. */
  balance: number | undefined
  pending: number
  unlimited: boolean
}

/** All reservations that are not settled. */
interface OpenSum {
  count: number
  quota: number
}

/** Holds of one request. */
class Pending implements Hold {
  readonly quota: number
  private readonly open: OpenSum
  private readonly accounts: readonly Account[]
  private amount: number
  private state: 'held' | 'charged' | 'gone' = 'held'

  constructor(accounts: readonly Account[], amount: number, open: OpenSum) {
    this.quota = amount
    this.open = open
    open.count += 1
    open.quota += amount
    this.accounts = accounts
    for (const account of accounts) account.pending += amount
    this.amount = amount
  }

  settle(charge: number): void {
    if (this.state !== 'held') return
    const { open, amount } = this
    open.count -= 1
    open.quota -= amount
    for (const account of this.accounts) account.pending += charge - amount
    this.amount = charge
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
    for (const account of this.accounts) account.pending += amount - this.amount
    this.amount = amount
  }
}

const mostAccounts = 100_000

/** Accounts of a single node. A hold is answered at once when its accounts are known. */
export const openMemoryAccounts = ({ queue, read }: { queue: SerialQueue; read: ReadBalances }): Accounts => {
  const accounts = {
    user: new Map<number, Account>(),
    token: new Map<number, Account>(),
    cap: new Map<number, Account>(),
  }

  const open: OpenSum = { count: 0, quota: 0 }

  const accountOf = (kind: AccountKind, id: number): Account => {
    const cached = accounts[kind].get(id)
    if (cached !== undefined) return cached
    const fresh: Account = { balance: undefined, pending: 0, unlimited: false }
    accounts[kind].set(id, fresh)
    if (accounts[kind].size > mostAccounts) forgetOldest(accounts[kind])
    return fresh
  }

  const isKnown = ({ account, id }: AccountName): boolean => accounts[account].get(id)?.balance !== undefined

  const take = ({ account, id, balance, unlimited }: AccountBalance): void => {
    const entry = accountOf(account, id)
    entry.balance = balance
    entry.unlimited = unlimited
  }

  const reserve = (request: AskedAmount, needed: readonly NeededAccount[]): HoldAnswer => {
    const holding: Account[] = []
    for (const name of needed) {
      const account = accountOf(name.account, name.id)
      if (name.unlessUnlimited && account.unlimited) continue
      const available = (account.balance ?? 0) - account.pending
      if (refuses(available, request)) return refusal(name, available, request)
      holding.push(account)
    }
    return { kind: 'held', hold: new Pending(holding, request.amount, open) }
  }

  // Holds that wait for balances share one query: all that come until the queue is free for it.
  let wanted: { names: Map<string, AccountName>; loaded: Promise<void> } | undefined
  const loaded = (needed: readonly AccountName[]): Promise<void> => {
    wanted ??= { names: new Map(), loaded: queue.run(loadWanted) }
    for (const name of needed) if (!isKnown(name)) wanted.names.set(`${name.account} ${name.id}`, name)
    return wanted.loaded
  }

  const loadWanted = async (): Promise<void> => {
    const batch = wanted
    wanted = undefined
    if (batch !== undefined) for (const accountBalance of await read([...batch.names.values()])) take(accountBalance)
  }

  const charging = (record: Charging): void => {
    const { quota, hold } = record
    if (hold instanceof Pending) {
      hold.settle(quota)
      return
    }
    const charged = chargedAccounts(record).map(({ account, id }) => accountOf(account, id))
    const pending = new Pending(charged, 0, open)
    pending.settle(quota)
    record.hold = pending
  }

  const hold = (request: AskedAmount, needed: readonly NeededAccount[]): HoldAnswer | Promise<HoldAnswer> =>
    needed.every(isKnown) ? reserve(request, needed) : loaded(needed).then(() => reserve(request, needed))

  /**
   * Holds from a user and a token whose balances are known and suffice, as nearly all calls find them; undefined for all other requests,
   * which `hold` answers.
   */
  const heldAtOnce = ({
    userId,
    tokenId,
    tokenUnlimited,
    amount,
    spare = 0,
    more,
  }: HoldRequest): HoldAnswer | undefined => {
    const user = accounts.user.get(userId)
    if (user?.balance === undefined) return undefined
    // Without `more` something must be left even for an amount of 0.
    const least = more === true ? amount + spare : Math.max(amount + spare, Number.MIN_VALUE)
    if (user.balance - user.pending < least) return undefined
    if (tokenId === 0 || tokenUnlimited === true) return { kind: 'held', hold: new Pending([user], amount, open) }
    const token = accounts.token.get(tokenId)
    if (token?.balance === undefined || (tokenUnlimited === undefined && token.unlimited)) return undefined
    if (token.balance - token.pending < least) return undefined
    return { kind: 'held', hold: new Pending([user, token], amount, open) }
  }

  return {
    hold: (request) =>
      (request.caps === undefined ? heldAtOnce(request) : undefined) ?? hold(request, neededAccounts(request)),

    reserve: (account, amount) => hold({ amount }, [{ ...account, unlessUnlimited: false }]),

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
        for (const accountBalance of await read([{ account, id }])) take(accountBalance)
      }),

    started: () => {},

    open: () => ({ ...open }),
    leased: () => ({ count: 0, quota: 0 }),

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
