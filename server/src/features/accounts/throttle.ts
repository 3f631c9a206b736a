import { AppError } from '../../lib/app-error.ts'
import type { Clock } from '../../lib/clock.ts'

/** How long a kind of key must wait after so many failures. */
interface Patience {
  /** Failures without a delay. */
  readonly free: number
  readonly longestSeconds: number
}

// An account can be guessed at from anywhere, so its delay stays short: strangers must not lock the owner out.
export const forAccount: Patience = { free: 5, longestSeconds: 60 }
// Many people share an address: one of them, whose own account waits after five, must not be able to close it.
export const forAddress: Patience = { free: 200, longestSeconds: 900 }
/** How long a success counts: as long as a session could last. */
export const provenMs = 30 * 86_400_000

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
   * AppError('login_throttled') while one of the keys has to wait. A pair that has succeeded waits for its own failures only.
   */
  attempt(keys: AttemptKeys): void | Promise<void>
  /**
   * Takes the attempt back: the account starts afresh, the address only loses this one. From now on the pair waits for
   * its own failures only, so that neither guesses from elsewhere nor those of neighbours can keep the owner out.
   */
  succeeded(keys: AttemptKeys): void | Promise<void>
  /** The same for a success that no attempt was counted for, e.g. a passkey. */
  proved(keys: AttemptKeys): void | Promise<void>
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

/** Slows guessing per account and per address: each failure doubles the wait. */
export const createLoginThrottle = (clock: Clock): LoginThrottle => {
  const failures = new Map<string, Failures>()

  /** When a pair succeeded last. */
  const proven = new Map<string, number>()

  const of = (key: string): Failures => {
    const previous = failures.get(key)
    const fresh = previous && clock() - previous.last < forgottenAfterMs
    const entry = fresh ? previous : { count: 0, blockedUntil: 0, last: clock() }
    keepRecent(failures, key, entry)
    return entry
  }

  const pairOf = ({ account, address }: AttemptKeys): string => `${account}@${address}`
  const isProven = (keys: AttemptKeys): boolean =>
    clock() - (proven.get(pairOf(keys)) ?? Number.NEGATIVE_INFINITY) < provenMs
  const waitFor = (waitMs: number): void => {
    if (waitMs > 0) throw new AppError('login_throttled', { params: { seconds: Math.ceil(waitMs / 1000) } })
  }

  const count = (entry: Failures, { free, longestSeconds }: Patience): void => {
    entry.count += 1
    entry.last = clock()
    const over = entry.count - free
    if (over >= 0) entry.blockedUntil = clock() + Math.min(2 ** over, longestSeconds) * 1000
  }

  return {
    attempt(keys) {
      if (isProven(keys)) {
        const pair = of(`account:${pairOf(keys)}`)
        waitFor(pair.blockedUntil - clock())
        count(pair, forAccount)
        return
      }
      const account = of(`account:${keys.account}`)
      const address = of(`address:${keys.address}`)
      waitFor(Math.max(account.blockedUntil, address.blockedUntil) - clock())
      count(account, forAccount)
      count(address, forAddress)
    },
    succeeded(keys) {
      const wasProven = isProven(keys)
      failures.delete(`account:${wasProven ? pairOf(keys) : keys.account}`)
      keepRecent(proven, pairOf(keys), clock())
      if (wasProven) return
      const address = of(`address:${keys.address}`)
      address.count = Math.max(0, address.count - 1)
      if (address.count < forAddress.free) address.blockedUntil = 0
    },
    proved(keys) {
      keepRecent(proven, pairOf(keys), clock())
    },
  }
}
