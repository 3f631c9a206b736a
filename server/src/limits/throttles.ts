import type { Limit } from '@tollgate/contract'
import { amounts, type CompiledLimit } from './compiled-limit.ts'
import { Counter } from './counter.ts'
import { openLeases } from './leases.ts'
import type { LeaseParts, StoredCounts } from './limiter-parts.ts'
import { rollingWindow } from './window.ts'

/** At most `count` in any `seconds`. */
export interface Throttle {
  readonly count: number
  readonly seconds: number
}

/** Limits of the frequency of events by key; counted like limits of calls, but lost at a restart. */
export interface Throttles {
  /** Counts one event; false when the limit is reached. Synchronous on a single process. */
  take(key: string, throttle: Throttle): boolean | Promise<boolean>
  /** True if one more event would be allowed; counts nothing. */
  allows(key: string, throttle: Throttle): boolean | Promise<boolean>
  /** Counts an event regardless of the limit. */
  count(key: string, throttle: Throttle): void
  /** Removes the latest counted event of a key. */
  giveBack(key: string): void
  /** Reports counts to the store and renews leases; called by a timer. */
  renew(): Promise<void>
}

export type ThrottleParts = Omit<LeaseParts, 'counts'> & {
  /** Most keys; the least recently used is evicted. */
  readonly mostKeys?: number
}

const manyKeys = 20_000
/** Milliseconds in which a key is refused as the last time was, without asking again. */
const refusedMs = 100
const one = { input: 0, output: 0, money: 0 }

/** Windows of minutes outlive no restart. */
const noCounts: StoredCounts = { read: async () => [], write: async () => {} }

const limitOf = (name: string, amount: number): Limit => ({
  id: 0,
  name,
  enabled: true,
  measure: 'requests',
  amount,
  window: 'rolling',
  hours: 1,
  time_zone: 'UTC',
  subjects: [],
  action: 'refuse',
  fallback_model: '',
  tell_at: [],
  tell_unusual: false,
  also_notify: [],
  owner_id: 0,
  changed_time: 0,
})

const compiled = (key: string, { count, seconds }: Throttle): CompiledLimit => ({
  limit: limitOf(key, count),
  window: rollingWindow(seconds * 1000, false),
  amounts: amounts.requests,
  refuses: true,
  fallsBack: false,
  ofChannels: false,
  modelAt: -1,
  shape: `throttle ${seconds}`,
})

/** Counts in memory on a single process, by leases on several. */
export const openThrottles = (parts: ThrottleParts): Throttles => {
  const { clock, isShared, mostKeys = manyKeys } = parts
  const counters = new Map<string, Counter>()
  const leases = openLeases({ ...parts, counts: noCounts }, () => counters.values())

  const counterOf = (key: string, throttle: Throttle): Counter => {
    const known = counters.get(key)
    const isSame = known?.compiled.shape === `throttle ${throttle.seconds}`
    if (known !== undefined && isSame && known.most !== throttle.count) known.change(compiled(key, throttle))
    const counter = known !== undefined && isSame ? known : new Counter(compiled(key, throttle), [key])
    // The last one is the one that was used last.
    counters.delete(key)
    counters.set(key, counter)
    if (counters.size > mostKeys) {
      const [oldest] = counters.keys()
      if (oldest !== undefined) counters.delete(oldest)
    }
    return counter
  }

  const enter = (counter: Counter, counts: boolean): boolean => {
    const fits = counter.fits(1, clock())
    if (fits && counts) counter.settle(1, 1, counter.reserve(1))
    if (!fits) counter.refusedAt = clock()
    return fits
  }

  /** True if one fits; asks the store where this process's lease is used up. */
  const decide = (key: string, throttle: Throttle, counts: boolean): boolean | Promise<boolean> => {
    const counter = counterOf(key, throttle)
    if (counter.fits(1, clock())) return enter(counter, counts)
    if (isShared && Math.abs(clock() - counter.refusedAt) < refusedMs) return false
    const asked = leases.ask([counter], one)
    return asked === undefined ? enter(counter, counts) : asked.then(() => enter(counter, counts))
  }

  return {
    take: (key, throttle) => decide(key, throttle, true),
    allows: (key, throttle) => decide(key, throttle, false),

    count(key, throttle) {
      const counter = counterOf(key, throttle)
      counter.fits(1, clock())
      counter.settle(1, 1, counter.reserve(1))
    },

    giveBack: (key) => counters.get(key)?.takeBack(clock()),

    async renew() {
      await leases.renew()
      const now = clock()
      for (const [key, counter] of counters) {
        if (counter.isIdle(now) && !(isShared && counter.spare > 0)) counters.delete(key)
      }
    },
  }
}
