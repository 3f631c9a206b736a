import { createBoundedCache } from '../../lib/caches/bounded-cache.ts'
import type { Clock } from '../../lib/clock.ts'

/** A user's balance after charges, in quota units. */
export interface ChargedBalance {
  readonly id: number
  readonly balance: number
}

export interface QuotaWatchParts {
  /** The users' own thresholds; who has none is missing. */
  thresholds(ids: readonly number[]): Promise<ReadonlyMap<number, number>>
  /** Option QuotaRemindThreshold. */
  fallback(): number
  /** Warns, unless the user was warned lately. */
  warn(userId: number, balance: number): Promise<void>
  failed(error: unknown): void
  readonly clock: Clock
}

export interface QuotaWatch {
  /** Checks balances after charges; returns at once. */
  charged(balances: readonly ChargedBalance[]): void
  /** Drops the cached threshold of a user, or of all users without an id. */
  forget(userId?: number): void
  /** Resolves when nothing is under way, for tests and for closing. */
  idle(): Promise<void>
}

interface WatchedUser {
  readonly threshold: number | undefined
  readonly readAt: number
  /** Milliseconds since 1970. No check and no database query for this user until then. */
  quietUntil: number
}

/** Thresholds are read again after this time, in case a message of another node was lost. */
const freshMs = 600_000
const quietMs = 300_000
const mostEntries = 50_000

/**
 * Sees whose balance falls below the threshold, beside the calls: per charged user and batch it
 * costs a look into a map; thresholds that are not known are read together, one query at a time.
 */
export const createQuotaWatch = (parts: QuotaWatchParts): QuotaWatch => {
  const entries = createBoundedCache<number, WatchedUser>({ entries: mostEntries })
  let unread = new Map<number, number>()
  let epoch = 0
  let reading: Promise<void> | undefined
  const warnings = new Set<Promise<void>>()

  const warn = (id: number, balance: number, entry: WatchedUser): void => {
    entry.quietUntil = parts.clock() + quietMs
    const warning = parts.warn(id, balance).catch((error: unknown) => {
      entry.quietUntil = 0
      parts.failed(error)
    })
    warnings.add(warning)
    void warning.finally(() => warnings.delete(warning))
  }

  const checkBalance = (id: number, balance: number, entry: WatchedUser): void => {
    if (balance >= (entry.threshold ?? parts.fallback())) return
    if (entry.quietUntil <= parts.clock()) warn(id, balance, entry)
  }

  const keep = (id: number, threshold: number | undefined): WatchedUser => {
    const entry = { threshold, readAt: parts.clock(), quietUntil: entries.get(id)?.quietUntil ?? 0 }
    entries.set(id, entry)
    return entry
  }

  const readUnread = async (): Promise<void> => {
    while (unread.size > 0) {
      const batch = unread
      const began = epoch
      unread = new Map()
      const thresholds = await parts.thresholds([...batch.keys()])
      for (const [id, balance] of batch) {
        checkBalance(id, balance, keep(id, thresholds.get(id)))
        // Read before a change that came meanwhile.
        if (epoch !== began) entries.delete(id)
      }
    }
  }

  return {
    charged(balances) {
      const stale = parts.clock() - freshMs
      for (const { id, balance } of balances) {
        const entry = entries.get(id)
        if (entry && entry.readAt > stale) checkBalance(id, balance, entry)
        else unread.set(id, balance)
      }
      if (unread.size === 0) return
      reading ??= readUnread()
        .catch(parts.failed)
        .finally(() => {
          reading = undefined
        })
    },
    forget(userId) {
      epoch += 1
      if (userId === undefined) entries.clear()
      else entries.delete(userId)
    },
    async idle() {
      while (reading || warnings.size > 0) await Promise.all([reading, ...warnings])
    },
  }
}
