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
  /** Looks at balances that charges left behind; returns at once. */
  charged(balances: readonly ChargedBalance[]): void
  /** A user's threshold may have changed; without an id anybody's. */
  forget(userId?: number): void
  /** Resolves when nothing is under way, for tests and for closing. */
  idle(): Promise<void>
}

interface Known {
  readonly threshold: number | undefined
  readonly readAt: number
  /** Whoever was warned or refused a warning is left alone until then, without asking the database. */
  quietUntil: number
}

/** A message of another node that got lost is made up for after this time. */
const freshMs = 600_000
const quietMs = 300_000
const mostKnown = 50_000

/**
 * Sees whose balance falls below the threshold, beside the calls: per charged user and batch it
 * costs a look into a map; thresholds that are not known are read together, one query at a time.
 */
export const createQuotaWatch = (parts: QuotaWatchParts): QuotaWatch => {
  const known = new Map<number, Known>()
  let unknown = new Map<number, number>()
  let epoch = 0
  let reading: Promise<void> | undefined
  const warnings = new Set<Promise<void>>()

  const warn = (id: number, balance: number, entry: Known): void => {
    entry.quietUntil = parts.clock() + quietMs
    const warning = parts.warn(id, balance).catch((error: unknown) => {
      entry.quietUntil = 0
      parts.failed(error)
    })
    warnings.add(warning)
    void warning.finally(() => warnings.delete(warning))
  }

  const look = (id: number, balance: number, entry: Known): void => {
    if (balance >= (entry.threshold ?? parts.fallback())) return
    if (entry.quietUntil <= parts.clock()) warn(id, balance, entry)
  }

  const keep = (id: number, threshold: number | undefined): Known => {
    const entry = { threshold, readAt: parts.clock(), quietUntil: known.get(id)?.quietUntil ?? 0 }
    known.delete(id)
    known.set(id, entry)
    const [oldest] = known.keys()
    if (known.size > mostKnown && oldest !== undefined) known.delete(oldest)
    return entry
  }

  const readUnknown = async (): Promise<void> => {
    while (unknown.size > 0) {
      const asked = unknown
      const began = epoch
      unknown = new Map()
      const thresholds = await parts.thresholds([...asked.keys()])
      for (const [id, balance] of asked) {
        look(id, balance, keep(id, thresholds.get(id)))
        // Read before a change that came meanwhile.
        if (epoch !== began) known.delete(id)
      }
    }
  }

  return {
    charged(balances) {
      const stale = parts.clock() - freshMs
      for (const { id, balance } of balances) {
        const entry = known.get(id)
        if (entry && entry.readAt > stale) look(id, balance, entry)
        else unknown.set(id, balance)
      }
      if (unknown.size === 0) return
      reading ??= readUnknown()
        .catch(parts.failed)
        .finally(() => {
          reading = undefined
        })
    },
    forget(userId) {
      epoch += 1
      if (userId === undefined) known.clear()
      else known.delete(userId)
    },
    async idle() {
      while (reading || warnings.size > 0) await Promise.all([reading, ...warnings])
    },
  }
}
