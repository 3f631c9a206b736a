import type { RelayChannel } from '../ports.ts'
import type { Tier } from '../routing/candidate-tiers.ts'
import type { TierChoice } from '../routing/plan.ts'

/** Spreads the bits of two numbers over 32 (the end of MurmurHash3). */
export const spread = (seed: number, hash: number): number => {
  let value = seed ^ hash
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35)
  return (value ^ (value >>> 16)) >>> 0
}

const range = 2 ** 32
const every = (): boolean => true

/**
 * The highest of weighted rendezvous scores, -w / ln(u): each channel wins in proportion to its weight, and when one goes,
 * only what it had won moves. Of channels with one weight the largest u wins, so there is one logarithm per weight.
 */
const best = (
  { channels, byWeight }: Tier,
  hash: number,
  fits: (channel: RelayChannel) => boolean,
): RelayChannel | undefined => {
  let winner: RelayChannel | undefined
  let most = -1
  for (const { weight, positions, seeds } of byWeight) {
    let found: RelayChannel | undefined
    let highest = -1
    for (let index = 0; index < seeds.length; index += 1) {
      const points = spread(seeds[index] ?? 0, hash)
      if (points < highest) continue
      const channel = channels[positions[index] ?? 0]
      if (channel === undefined || !fits(channel)) continue
      // Nodes know their channels in different orders.
      if (points === highest && found !== undefined && found.id < channel.id) continue
      found = channel
      highest = points
    }
    if (found === undefined) continue
    const score = -weight / Math.log((highest + 0.5) / range)
    if (score < most || (score === most && winner !== undefined && winner.id < found.id)) continue
    winner = found
    most = score
  }
  return winner
}

/** The same choice for a session on every node, by weight, as long as its channel is there and fits. */
export const bySession =
  (hash: number): TierChoice =>
  (tier, fits) => {
    const first = best(tier, hash, every)
    return first === undefined || fits(first) ? first : best(tier, hash, fits)
  }
