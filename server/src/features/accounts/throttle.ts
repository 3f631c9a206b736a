import { AppError } from '../../lib/app-error.ts'
import type { Clock } from '../../lib/clock.ts'

/** How long a kind of key must wait after so many failures. */
interface Patience {
  /** Failures without a delay. */
  readonly free: number
  readonly longestSeconds: number
}

// An account can be guessed at from anywhere, so its delay stays short enough that nobody can lock the owner out.
export const forAccount: Patience = { free: 5, longestSeconds: 60 }
export const forAddress: Patience = { free: 10, longestSeconds: 900 }

interface Failures {
  count: number
  blockedUntil: number
  last: number
}

export interface AttemptKeys {
  readonly account: string
  readonly address: string
}

export interface LoginThrottle {
  /**
   * Counts an attempt before its password is looked at, so that parallel guesses count too. Throws
   * AppError('login_throttled') while one of the keys has to wait.
   */
  attempt(keys: AttemptKeys): void | Promise<void>
  /**
   * Takes the attempt back: the account starts afresh, the address only loses this one. From now on the pair waits for
   * its own failures only, so that guesses from elsewhere cannot keep the owner out.
   */
  succeeded(keys: AttemptKeys): void | Promise<void>
}

export const forgottenAfterMs = 3_600_000
const manyKeys = 50_000

/** Puts an entry last and forgets the one unused for longest when there are too many. */
const keepRecent = <V>(map: Map<string, V>, key: string, value: V): void => {
  map.delete(key)
  map.set(key, value)
  if (map.size <= manyKeys) return
  const [oldest] = map.keys()
  if (oldest !== undefined) map.delete(oldest)
}

/** Slows guessing per account and per address: each failure doubles the wait (server reference §12.3.35). */
export const createLoginThrottle = (clock: Clock): LoginThrottle => {
  const failures = new Map<string, Failures>()

  const proven = new Map<string, true>()

  const of = (key: string): Failures => {
    const known = failures.get(key)
    const fresh = known && clock() - known.last < forgottenAfterMs
    const entry = fresh ? known : { count: 0, blockedUntil: 0, last: clock() }
    keepRecent(failures, key, entry)
    return entry
  }

  const pairOf = ({ account, address }: AttemptKeys): string => `${account}@${address}`
  const accountKey = (keys: AttemptKeys): string => (proven.has(pairOf(keys)) ? pairOf(keys) : keys.account)

  const count = (entry: Failures, { free, longestSeconds }: Patience): void => {
    entry.count += 1
    entry.last = clock()
    const over = entry.count - free
    if (over >= 0) entry.blockedUntil = clock() + Math.min(2 ** over, longestSeconds) * 1000
  }

  return {
    attempt(keys) {
      const account = of(`account:${accountKey(keys)}`)
      const address = of(`address:${keys.address}`)
      const waitMs = Math.max(account.blockedUntil, address.blockedUntil) - clock()
      if (waitMs > 0) throw new AppError('login_throttled', { params: { seconds: Math.ceil(waitMs / 1000) } })
      count(account, forAccount)
      count(address, forAddress)
    },
    succeeded(keys) {
      failures.delete(`account:${accountKey(keys)}`)
      keepRecent(proven, pairOf(keys), true)
      const address = of(`address:${keys.address}`)
      address.count = Math.max(0, address.count - 1)
      if (address.count < forAddress.free) address.blockedUntil = 0
    },
  }
}
