import type { RelayChannel } from '../ports.ts'

/** Added to every weight, so that a weight of 0 still gets some traffic. */
const smoothing = 10

/** Weight of a channel within its priority. */
export const weightOf = (channel: RelayChannel): number => channel.weight + smoothing

/** Channels of one priority. */
export interface Tier {
  readonly priority: number
  readonly channels: readonly RelayChannel[]
  /** `sums[i]` is the weight of the channels up to and with `channels[i]`. */
  readonly sums: Float64Array
  /** Positions in `channels`, by weight: channels of one weight are compared without a logarithm. */
  readonly byWeight: readonly WeightClass[]
}

export interface WeightClass {
  readonly weight: number
  readonly positions: Int32Array
  /** Spread ids of the channels at `positions`, for rendezvous hashing: the same on every node. */
  readonly seeds: Int32Array
}

/** Precomputed facts about a list of candidates. */
export interface CandidateTable {
  /** Highest priority first. */
  readonly tiers: readonly Tier[]
  /** True if any channel limits the length of prompts. */
  readonly limitsPrompts: boolean
  /** True if any channel's provider caches every prompt, however short. */
  readonly keepsShortPrompts: boolean
  /** The only candidate, if it has one key; undefined where there is a choice. */
  readonly only: RelayChannel | undefined
  /** Each kind of provider once. */
  readonly providers: readonly RelayChannel['provider'][]
  /** The candidate with this id. */
  byId(id: number): RelayChannel | undefined
}

const goldenRatio = 0x9e3779b1

const tierOf = (priority: number, channels: readonly RelayChannel[]): Tier => {
  const sums = new Float64Array(channels.length)
  const positionsOf = new Map<number, number[]>()
  let sum = 0
  for (const [position, channel] of channels.entries()) {
    const weight = weightOf(channel)
    sum += weight
    sums[position] = sum
    const positions = positionsOf.get(weight)
    if (positions === undefined) positionsOf.set(weight, [position])
    else positions.push(position)
  }
  const byWeight = [...positionsOf].map(([weight, positions]) => ({
    weight,
    positions: Int32Array.from(positions),
    seeds: Int32Array.from(positions, (position) => Math.imul(channels[position]?.id ?? 0, goldenRatio)),
  }))
  return { priority, channels, sums, byWeight }
}

const tabled = (candidates: readonly RelayChannel[]): CandidateTable => {
  const byPriority = new Map<number, RelayChannel[]>()
  for (const channel of candidates) {
    const tier = byPriority.get(channel.priority)
    if (tier === undefined) byPriority.set(channel.priority, [channel])
    else tier.push(channel)
  }
  let byId: ReadonlyMap<number, RelayChannel> | undefined
  const [first] = candidates
  return {
    tiers: [...byPriority].sort(([a], [b]) => b - a).map(([priority, channels]) => tierOf(priority, channels)),
    limitsPrompts: candidates.some(({ maxInputTokens }) => maxInputTokens !== undefined),
    keepsShortPrompts: candidates.some(({ provider }) => provider.engine !== undefined),
    only: candidates.length === 1 && first?.ring === undefined ? first : undefined,
    providers: [...new Set(candidates.map(({ provider }) => provider))],
    byId: (id) => {
      byId ??= new Map(candidates.map((channel) => [channel.id, channel]))
      return byId.get(id)
    },
  }
}

/** Cached per list: lists live as long as their snapshot, and thousands of calls choose from the same one. */
const tables = new WeakMap<readonly RelayChannel[], CandidateTable>()

/** The table of a list, which must not change afterwards. */
export const candidateTable = (candidates: readonly RelayChannel[]): CandidateTable => {
  const before = tables.get(candidates)
  if (before !== undefined) return before
  const table = tabled(candidates)
  tables.set(candidates, table)
  return table
}

/** The tiers in the order for attempt number `attempt`: its own, lower ones, then higher ones. */
export const tierOrder = (tiers: readonly Tier[], attempt: number): readonly Tier[] => {
  const own = Math.min(attempt, tiers.length - 1)
  return own <= 0 ? tiers : [...tiers.slice(own), ...tiers.slice(0, own).reverse()]
}

const filtered = new WeakMap<readonly RelayChannel[], Map<string, readonly RelayChannel[]>>()

/** The candidates with a fitting provider; the same result object for the same question. Almost always all of them. */
export const withProviders = (
  candidates: readonly RelayChannel[],
  fits: (provider: RelayChannel['provider']) => boolean,
): readonly RelayChannel[] => {
  const { providers } = candidateTable(candidates)
  if (providers.every(fits)) return candidates
  const name = providers.map((provider) => (fits(provider) ? '1' : '0')).join('')
  const lists = filtered.get(candidates) ?? new Map<string, readonly RelayChannel[]>()
  filtered.set(candidates, lists)
  const list = lists.get(name) ?? candidates.filter(({ provider }) => fits(provider))
  lists.set(name, list)
  return list
}
