import { type BoundedCache, createBoundedCache } from '../../../lib/caches/bounded-cache.ts'
import type { RelayChannel } from '../../ports.ts'
import type { Tier } from '../candidate-tiers.ts'

interface Cheapest {
  /** Milliseconds since 1970 until which it is believed. */
  readonly until: number
  readonly channels: readonly RelayChannel[]
}

/** Prices change with dates and with channels, and a channel that changes makes a new tier. */
const validMs = 60_000
const mostModels = 100

const byTier = new WeakMap<Tier, BoundedCache<string, Cheapest>>()

const find = ({ channels }: Tier, scoreOf: (channel: RelayChannel) => number | undefined): readonly RelayChannel[] => {
  let least = Number.MAX_VALUE
  let cheapest: RelayChannel[] = []
  for (const channel of channels) {
    const score = scoreOf(channel) ?? Number.MAX_VALUE
    if (score < least) {
      least = score
      cheapest = []
    }
    if (score === least) cheapest.push(channel)
  }
  return cheapest
}

/** The channels of a large tier that cost least: compared once a minute. `now` in milliseconds since 1970. */
export const cheapestOf = (
  tier: Tier,
  model: string,
  now: number,
  scoreOf: (channel: RelayChannel) => number | undefined,
): readonly RelayChannel[] => {
  const models = byTier.get(tier) ?? createBoundedCache<string, Cheapest>({ entries: mostModels })
  byTier.set(tier, models)
  const before = models.get(model)
  if (before !== undefined && now < before.until) return before.channels
  const channels = find(tier, scoreOf)
  models.set(model, { until: now + validMs, channels })
  return channels
}
