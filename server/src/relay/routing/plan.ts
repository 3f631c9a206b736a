import type { RelayChannel } from '../ports.ts'

/** Added to every weight, so that a weight of 0 still gets some traffic. */
const smoothing = 10

const weightOf = (channel: RelayChannel): number => channel.weight + smoothing

/** A random channel by weight; `random` is in [0, 1). */
const weighted = (channels: readonly RelayChannel[], random: number): RelayChannel | undefined => {
  let left = random * channels.reduce((sum, channel) => sum + weightOf(channel), 0)
  for (const channel of channels) {
    left -= weightOf(channel)
    if (left < 0) return channel
  }
  return channels.at(-1)
}

/** Priorities in the order in which attempt number `attempt` looks at them: its own tier, lower ones, then higher ones. */
const tierOrder = (candidates: readonly RelayChannel[], attempt: number): number[] => {
  const tiers = [...new Set(candidates.map(({ priority }) => priority))].sort((a, b) => b - a)
  const own = Math.min(attempt, tiers.length - 1)
  return [...tiers.slice(own), ...tiers.slice(0, own).reverse()]
}

type Fits = (channel: RelayChannel) => boolean

const fromTiers = (
  candidates: readonly RelayChannel[],
  attempt: number,
  random: () => number,
  fits: Fits,
): RelayChannel | undefined => {
  for (const priority of tierOrder(candidates, attempt)) {
    const tier = candidates.filter((channel) => channel.priority === priority && fits(channel))
    if (tier.length > 0) return weighted(tier, random())
  }
  return undefined
}

/**
 * The channel for attempt number `attempt` (from 0): priority tier by attempt, then by weight + 10,
 * never one that was tried. undefined when every candidate was tried. Those that `avoids` names are asked only when there
 * is nobody else: a channel in trouble may answer, no channel cannot.
 */
export const chooseChannel = (
  candidates: readonly RelayChannel[],
  tried: ReadonlySet<number>,
  attempt: number,
  random: () => number,
  avoids?: Fits,
): RelayChannel | undefined => {
  const [only] = candidates
  if (candidates.length === 1 && only !== undefined) return tried.has(only.id) ? undefined : only
  const untried: Fits = (channel) => !tried.has(channel.id)
  const preferred = avoids && fromTiers(candidates, attempt, random, (channel) => untried(channel) && !avoids(channel))
  return preferred ?? fromTiers(candidates, attempt, random, untried)
}

/**
 * Channel id → probability of the first attempt, for the channels that may get it: the same choice as `chooseChannel` with
 * attempt number 0, without drawing one.
 */
export const firstChances = (candidates: readonly RelayChannel[], avoids: Fits): ReadonlyMap<number, number> => {
  const healthy = candidates.filter((channel) => !avoids(channel))
  // A single candidate is used whatever its health, and channels in trouble are better than none.
  const usable = candidates.length === 1 || healthy.length === 0 ? candidates : healthy
  const top = Math.max(...usable.map(({ priority }) => priority))
  const tier = usable.filter(({ priority }) => priority === top)
  const whole = tier.reduce((sum, channel) => sum + weightOf(channel), 0)
  return new Map(tier.map((channel) => [channel.id, weightOf(channel) / whole]))
}
