import type { RelayChannel } from '../ports.ts'
import type { Tier } from '../routing/candidate-tiers.ts'
import { isLarge, type TierChoice } from '../routing/plan.ts'
import { spread } from './spread.ts'
import { type WeightTrie, weightTrie } from './weight-trie.ts'

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

const tries = new WeakMap<Tier, WeightTrie>()

const trieOf = (tier: Tier): WeightTrie => {
  const before = tries.get(tier)
  if (before !== undefined) return before
  const made = weightTrie(tier)
  tries.set(tier, made)
  return made
}

/** How often another channel of a large tier is looked for before all are compared. */
const mostTries = 8

/** In a large tier: the same cost however many channels there are, as long as most of them fit. */
const oneOfMany = (tier: Tier, hash: number, fits: (channel: RelayChannel) => boolean): RelayChannel | undefined => {
  const trie = trieOf(tier)
  for (let number = 0; number < mostTries; number += 1) {
    const channel = trie.choose(number === 0 ? hash : spread(number, hash))
    if (channel !== undefined && fits(channel)) return channel
  }
  return best(tier, hash, fits)
}

/** The same choice for a session on every node, by weight, as long as its channel is there and fits. */
export const bySession =
  (hash: number): TierChoice =>
  (tier, fits) => {
    if (isLarge(tier)) return oneOfMany(tier, hash, fits)
    const first = best(tier, hash, every)
    return first === undefined || fits(first) ? first : best(tier, hash, fits)
  }
