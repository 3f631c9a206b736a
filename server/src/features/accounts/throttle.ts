import { createHash } from 'node:crypto'
import { AppError } from '../../lib/app-error.ts'
import type { Clock } from '../../lib/clock.ts'

/** How long a kind of key must wait after so many failures. */
interface Patience {
  /** Failures without a delay. */
  readonly free: number
  readonly longestSeconds: number
}

// An account can be guessed at from anywhere, so its delay stays short: strangers must not lock the owner out. An address counts once here,
// until so many addresses have guessed that the account waits; from then on each attempt counts.
export const forAccount: Patience = { free: 5, longestSeconds: 60 }
// Guesses from one address delay that address only, longer each time.
export const forPair: Patience = { free: 5, longestSeconds: 900 }
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
   * AppError('login_throttled') while one of the keys, or their pair, has to wait. The account waits for guesses from many addresses
   * only; a pair that has succeeded waits for its own failures only.
   */
  attempt(keys: AttemptKeys): void | Promise<void>
  /**
   * Takes the attempt back: the account starts afresh, the address only loses this one. From now on the pair waits for
   * its own failures only, so that neither guesses from elsewhere nor those of neighbours can keep the owner out.
   */
  succeeded(keys: AttemptKeys): void | Promise<void>
  /** The same for a success that no attempt was counted for, e.g. by an account elsewhere. */
  proved(keys: AttemptKeys): void | Promise<void>
}

/** State of a throttle under one name; `count` is 0 for a forgotten name, times are in unix milliseconds. */
export interface RememberedWait {
  /** `failed:` or `proven:` and a hash: names are typed by strangers, sometimes passwords by mistake. */
  readonly name: string
  readonly count: number
  readonly blockedUntil: number
  readonly last: number
}

/** State that outlasts a restart of the counting process, see `stored-waits.ts`. */
export interface ThrottleMemory {
  /** Changes since the last call, the earliest first. */
  takeChanges(most: number): readonly RememberedWait[] | Promise<readonly RememberedWait[]>
  /** Takes what was remembered before a restart; later calls change nothing, because what is counted here is newer. */
  restore(waits: readonly RememberedWait[]): void | Promise<void>
}

export const forgottenAfterMs = 3_600_000
export const manyKeys = 50_000

/** Puts an entry last and answers the key unused for longest, which it forgets, when there are too many. */
const keepRecent = <V>(map: Map<string, V>, key: string, value: V): string | undefined => {
  map.delete(key)
  map.set(key, value)
  if (map.size <= manyKeys) return undefined
  const [oldest] = map.keys()
  if (oldest !== undefined) map.delete(oldest)
  return oldest
}

const hashedName = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 22)

/** Slows guessing per account and per address: each failure doubles the wait. */
export const createLoginThrottle = (clock: Clock): LoginThrottle & ThrottleMemory => {
  const failures = new Map<string, Failures>()

  /** When a pair succeeded last. */
  const proven = new Map<string, number>()

  /** Names that are remembered otherwise than was said last. */
  const changed = new Set<string>()
  const change = (name: string | undefined): void => {
    if (name === undefined) return
    changed.delete(name)
    changed.add(name)
    // Of names that come faster than they are taken the earliest are not kept.
    const [oldest] = changed
    if (changed.size > 2 * manyKeys && oldest !== undefined) changed.delete(oldest)
  }
  let isRestored = false

  const of = (text: string): Failures & { readonly name: string } => {
    const name = `failed:${hashedName(text)}`
    const previous = failures.get(name)
    const fresh = previous && clock() - previous.last < forgottenAfterMs
    const entry = fresh ? previous : { count: 0, blockedUntil: 0, last: clock() }
    change(keepRecent(failures, name, entry))
    return Object.assign(entry, { name })
  }
  const forget = (text: string): void => {
    const name = `failed:${hashedName(text)}`
    if (failures.delete(name)) change(name)
  }

  const pairOf = ({ account, address }: AttemptKeys): string => `${account}@${address}`
  const provenName = (keys: AttemptKeys): string => `proven:${hashedName(pairOf(keys))}`
  const isProven = (keys: AttemptKeys): boolean =>
    clock() - (proven.get(provenName(keys)) ?? Number.NEGATIVE_INFINITY) < provenMs
  const prove = (keys: AttemptKeys): void => {
    const name = provenName(keys)
    change(keepRecent(proven, name, clock()))
    change(name)
  }
  const waitFor = (waitMs: number): void => {
    if (waitMs > 0) throw new AppError('login_throttled', { params: { seconds: Math.ceil(waitMs / 1000) } })
  }

  const count = (entry: ReturnType<typeof of>, { free, longestSeconds }: Patience): void => {
    entry.count += 1
    entry.last = clock()
    const over = entry.count - free
    if (over >= 0) entry.blockedUntil = clock() + Math.min(2 ** over, longestSeconds) * 1000
    change(entry.name)
  }

  const remembered = (name: string): RememberedWait => {
    const since = proven.get(name)
    if (since !== undefined) return { name, count: 1, blockedUntil: 0, last: since }
    const { count: failed, blockedUntil, last } = failures.get(name) ?? { count: 0, blockedUntil: 0, last: 0 }
    return { name, count: failed, blockedUntil, last }
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
      const pair = of(`account:${pairOf(keys)}`)
      waitFor(Math.max(account.blockedUntil, address.blockedUntil, pair.blockedUntil) - clock())
      if (pair.count === 0 || account.count >= forAccount.free) count(account, forAccount)
      count(address, forAddress)
      count(pair, forPair)
    },
    succeeded(keys) {
      const wasProven = isProven(keys)
      forget(`account:${pairOf(keys)}`)
      if (!wasProven) forget(`account:${keys.account}`)
      prove(keys)
      if (wasProven) return
      const address = of(`address:${keys.address}`)
      address.count = Math.max(0, address.count - 1)
      if (address.count < forAddress.free) address.blockedUntil = 0
      change(address.name)
    },
    proved(keys) {
      // Failed guesses from before the owner was known here no longer count.
      if (!isProven(keys)) forget(`account:${pairOf(keys)}`)
      prove(keys)
    },
    takeChanges(most) {
      const names: string[] = []
      for (const name of changed) {
        if (names.length === most) break
        names.push(name)
        changed.delete(name)
      }
      return names.map(remembered)
    },
    restore(waits) {
      if (isRestored) return
      isRestored = true
      for (const { name, count: kept, blockedUntil, last } of waits) {
        if (name.startsWith('proven:')) {
          if (!proven.has(name)) keepRecent(proven, name, last)
        } else if (!failures.has(name)) keepRecent(failures, name, { count: kept, blockedUntil, last })
      }
    },
  }
}
