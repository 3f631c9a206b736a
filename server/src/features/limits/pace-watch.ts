import { createBoundedCache } from '../../lib/caches/bounded-cache.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Counter } from '../../limits/counter.ts'
import { isUnusual, type PaceSums, partAt } from '../../limits/pace.ts'
import type { PaceStore } from './pace-store.ts'

export interface PaceWatchParts {
  readonly store: PaceStore
  readonly clock: Clock
  /** Counters that tell of an unusual pace. */
  watched(): readonly Counter[]
  /** Tells of one, once for its window. */
  tell(counter: Counter): Promise<void>
}

interface Watched {
  readonly at: number
  readonly before: readonly PaceSums[]
  readonly sums: (number | undefined)[]
  part: number
}

/** Counters that are remembered; more are read anew. */
const mostWatched = 20_000

/** Writes down how windows are used, and tells where one is used unusually fast: as each of its parts ends. */
export const openPaceWatch = ({ store, clock, watched, tell }: PaceWatchParts): { look(): Promise<void> } => {
  const known = createBoundedCache<string, Watched>({ entries: mostWatched })

  const begin = async (counter: Counter, now: number): Promise<Watched> => {
    const { limit, window } = counter.compiled
    const { at, end } = window.pieceAt(now)
    const { before, own } = await store.read(limit.id, counter.digest, at)
    // A part that this process has not seen begin is not known at its end, unless another one has written it.
    const fresh = { at, before, sums: [...own], part: partAt(at, end, now) }
    known.set(counter.name, fresh)
    return fresh
  }

  const look = async (counter: Counter): Promise<void> => {
    const now = clock()
    const { limit, window } = counter.compiled
    const { at, end } = window.pieceAt(now)
    const before = known.get(counter.name)
    const seen = before?.at === at ? before : await begin(counter, now)
    const part = partAt(at, end, now)
    if (part === seen.part) return
    const ended = part - 1
    seen.sums[ended] = counter.usedByAll
    seen.part = part
    await store.write(limit.id, counter.digest, at, seen.sums)
    if (isUnusual(counter.usedByAll, ended, seen.before, limit.amount)) await tell(counter)
  }

  return {
    async look() {
      for (const counter of watched()) await look(counter)
    },
  }
}
