import { type BoundedCache, createBoundedCache } from '../../../lib/caches/bounded-cache.ts'
import type { RelayChannel } from '../../ports.ts'
import type { Tier } from '../candidate-tiers.ts'

/** Which channels of a large tier answer soonest, as it was found a moment ago. */
export interface Quickest {
  /** Those that are about as quick as the quickest. */
  readonly best: readonly RelayChannel[]
  /** Those of which nothing is known. */
  readonly unknown: readonly RelayChannel[]
}

interface Found extends Quickest {
  /** Milliseconds since 1970. */
  readonly at: number
}

interface Standing {
  found: Found | undefined
  isDue: boolean
}

const freshMs = 1000
/** Older findings say nothing: channels are drawn until there are new ones. */
const validMs = 10_000
const mostModels = 100
/** All searches together take no more than one part in so many of the time. */
const restOf = 50

const byTier = new WeakMap<Tier, BoundedCache<string, Standing>>()
/** Milliseconds of the process, before which no search begins. */
let restsUntil = 0

const find = ({ channels }: Tier, scoreOf: (channel: RelayChannel) => number | undefined, slack: number): Quickest => {
  const scores = channels.map(scoreOf)
  const least = scores.reduce<number>((lowest, score) => Math.min(lowest, score ?? lowest), Number.MAX_VALUE)
  return {
    best: channels.filter((_, index) => (scores[index] ?? Number.POSITIVE_INFINITY) <= least * slack),
    unknown: channels.filter((_, index) => scores[index] === undefined),
  }
}

const standingOf = (tier: Tier, model: string): Standing => {
  const models = byTier.get(tier) ?? createBoundedCache<string, Standing>({ entries: mostModels })
  byTier.set(tier, models)
  const before = models.get(model)
  if (before !== undefined) return before
  const standing: Standing = { found: undefined, isDue: false }
  models.set(model, standing)
  return standing
}

/**
 * The quickest channels of a large tier; undefined where they were not looked for lately. They are looked for outside of calls, once
 * a second at most, so a call costs the same however many channels there are. `now` in milliseconds since 1970.
 */
export const quickestOf = (
  tier: Tier,
  model: string,
  now: number,
  { scoreOf, slack }: { readonly scoreOf: (channel: RelayChannel) => number | undefined; readonly slack: number },
): Quickest | undefined => {
  const standing = standingOf(tier, model)
  const { found } = standing
  if (!standing.isDue && (found === undefined || now - found.at >= freshMs) && performance.now() >= restsUntil) {
    standing.isDue = true
    setImmediate(() => {
      const began = performance.now()
      standing.found = { ...find(tier, scoreOf, slack), at: now }
      standing.isDue = false
      const ended = performance.now()
      restsUntil = ended + restOf * (ended - began)
    })
  }
  return found !== undefined && now - found.at < validMs ? found : undefined
}
