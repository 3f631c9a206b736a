/** Compares the used memory of the process with its limit. */
export interface MemoryPressure {
  /** True if there is memory for `more` bytes, beside `held` bytes that are promised already, some of which may not have been allocated yet. */
  allows(more: number, held: number): boolean
}

export interface PressureParts {
  /** Bytes that the process may use. */
  readonly limit: number
  /** Bytes that it uses and that cannot be dropped without swap. */
  readonly used: () => number
  /** Collects garbage at once, which stops the process for some dozen milliseconds. */
  readonly collect: () => void
  /** Milliseconds that never go back. */
  readonly now: () => number
  /** The share of the limit that may be used; the rest is for the program's own pages, which the system would read again and again, and for its connections. */
  readonly usableShare?: number
  /** Milliseconds between two collections, at least. */
  readonly collectEveryMs?: number
}

const usualShare = 0.85
/** Milliseconds for which a measurement is valid, plus the promises since. */
const measuredMs = 50
const usualCollectMs = 2000

/** Measures on demand, so that a process with small calls pays nothing. */
export const openMemoryPressure = ({
  limit,
  used,
  collect,
  now,
  usableShare = usualShare,
  collectEveryMs = usualCollectMs,
}: PressureParts): MemoryPressure => {
  const most = limit * usableShare
  let measuredAt = Number.NEGATIVE_INFINITY
  let collectedAt = Number.NEGATIVE_INFINITY
  let usedThen = 0
  let heldThen = 0

  const measure = (held: number): void => {
    measuredAt = now()
    usedThen = used()
    heldThen = held
  }
  const fits = (more: number, held: number): boolean => usedThen + Math.max(0, held - heldThen) + more <= most

  return {
    allows(more, held) {
      if (now() - measuredAt > measuredMs) measure(held)
      if (fits(more, held)) return true
      if (now() - collectedAt < collectEveryMs) return false
      // Much of it is garbage of finished calls.
      collectedAt = now()
      collect()
      measure(held)
      return fits(more, held)
    },
  }
}

const lookMs = 200
/** The share of the limit from which on garbage is collected before V8 thinks it time. */
const fullShare = 0.8

/**
 * V8 bounds a heap by itself, not by what threads and buffers take beside it: 64 long streams left 40 MB of garbage in a container
 * of 256 MB that had 40 left. Call what comes back to end it.
 */
export const watchMemory = ({
  limit,
  used,
  collect,
}: Pick<PressureParts, 'limit' | 'used' | 'collect'>): (() => void) => {
  const look = setInterval(() => {
    if (used() > limit * fullShare) collect()
  }, lookMs).unref()
  return () => clearInterval(look)
}
