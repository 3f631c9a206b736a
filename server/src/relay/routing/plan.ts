import type { RelayChannel } from '../ports.ts'
import { candidateTable, type Tier, tierOrder, weightOf } from './candidate-tiers.ts'

type Fits = (channel: RelayChannel) => boolean

/** How a channel of a tier is chosen among those that fit; undefined where none does. */
export type TierChoice = (tier: Tier, fits: Fits) => RelayChannel | undefined

/** In larger tiers a few channels are drawn, where in smaller ones all are looked at: a choice costs the same however many there are. */
const mostCompared = 64
/** True for a tier with too many channels to compare all of them. */
export const isLarge = ({ channels }: Tier): boolean => channels.length > mostCompared

/** The channel at a share (in [0, 1)) of the tier's weight. */
const at = ({ channels, sums }: Tier, share: number): RelayChannel | undefined => {
  const target = share * (sums.at(-1) ?? 0)
  let low = 0
  let high = channels.length - 1
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((sums[middle] ?? 0) > target) high = middle
    else low = middle + 1
  }
  return channels[low]
}

/** A random channel by weight; `random` is in [0, 1). */
const weighted = (channels: readonly RelayChannel[], random: number): RelayChannel | undefined => {
  let left = random * channels.reduce((sum, channel) => sum + weightOf(channel), 0)
  for (const channel of channels) {
    left -= weightOf(channel)
    if (left < 0) return channel
  }
  return channels.at(-1)
}

/** From a large tier, before those that fit are looked for. */
const mostDraws = 8

/** Up to `count` fitting channels of a large tier, random by weight; none where too few fit for random draws to find one. */
export const someOf = (tier: Tier, count: number, random: () => number, fits: Fits): readonly RelayChannel[] => {
  const drawn = new Set<RelayChannel>()
  for (let draws = 0; draws < count; draws += 1) {
    const channel = at(tier, random())
    if (channel !== undefined && fits(channel)) drawn.add(channel)
  }
  return [...drawn]
}

/**
 * By chance and weight. The first draw is from the whole tier, which costs the same however large it is; only where it does
 * not fit are those that fit looked for.
 */
export const byChance =
  (random: () => number): TierChoice =>
  (tier, fits) => {
    for (let draws = isLarge(tier) ? mostDraws : 1; draws > 0; draws -= 1) {
      const drawn = at(tier, random())
      if (drawn !== undefined && fits(drawn)) return drawn
    }
    const fitting = tier.channels.filter(fits)
    return fitting.length === 0 ? undefined : weighted(fitting, random())
  }

const fromTiers = (tiers: readonly Tier[], choice: TierChoice, fits: Fits): RelayChannel | undefined => {
  for (const tier of tiers) {
    const channel = choice(tier, fits)
    if (channel !== undefined) return channel
  }
  return undefined
}

/**
 * The channel for attempt number `attempt` (from 0): priority tier by attempt, then by `choice`, never a tried one. undefined when every
 * candidate was tried. Those that `avoids` matches come last: a failing channel may answer, a missing one cannot.
 */
export const chooseChannel = (
  candidates: readonly RelayChannel[],
  tried: ReadonlySet<number>,
  attempt: number,
  choice: TierChoice,
  avoids?: Fits,
): RelayChannel | undefined => {
  const [only] = candidates
  if (candidates.length === 1 && only !== undefined) return tried.has(only.id) ? undefined : only
  const tiers = tierOrder(candidateTable(candidates).tiers, attempt)
  const untried: Fits = (channel) => !tried.has(channel.id)
  const preferred = avoids && fromTiers(tiers, choice, (channel) => untried(channel) && !avoids(channel))
  return preferred ?? fromTiers(tiers, choice, untried)
}

/**
 * Channel id → probability of the first attempt, for the channels that may get it: the same choice as `chooseChannel` with
 * attempt number 0, without drawing one.
 */
export const firstChances = (candidates: readonly RelayChannel[], avoids: Fits): ReadonlyMap<number, number> => {
  const healthy = candidates.filter((channel) => !avoids(channel))
  // A single candidate is used regardless of its health, and failing channels are better than none.
  const usable = candidates.length === 1 || healthy.length === 0 ? candidates : healthy
  const top = Math.max(...usable.map(({ priority }) => priority))
  const tier = usable.filter(({ priority }) => priority === top)
  const whole = tier.reduce((sum, channel) => sum + weightOf(channel), 0)
  return new Map(tier.map((channel) => [channel.id, weightOf(channel) / whole]))
}
