import type { RelayChannel } from '../ports.ts'
import { type Tier, weightOf } from '../routing/candidate-tiers.ts'
import { spread } from './spread.ts'

/** A tier whose channels are chosen by hash in as many steps as their number has bits. */
export interface WeightTrie {
  choose(hash: number): RelayChannel | undefined
}

interface Leaf {
  /** Its place among all ids: 32 bits, different for each id. */
  readonly key: number
  readonly position: number
  readonly weight: number
}

interface Node {
  /** Children: other nodes, or `~position` of a channel. */
  readonly left: number
  readonly right: number
  /** Share of the weight below the node that is on its left. */
  readonly share: number
  /** Common prefix of all keys below: the same on every node, even as channels change. */
  readonly name: number
}

const range = 2 ** 32
const topBit = 31

const nameOf = (key: number, bit: number): number => spread(bit === topBit ? 0 : key >>> (bit + 1), bit)

/** The first of `leaves[from..to)` that has a bit; they are sorted, and alike in all bits above it. */
const firstWith = (leaves: readonly Leaf[], from: number, to: number, bit: number): number => {
  let [low, high] = [from, to]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((((leaves[middle]?.key ?? 0) >>> bit) & 1) === 1) high = middle
    else low = middle + 1
  }
  return low
}

const weightIn = (leaves: readonly Leaf[], from: number, to: number): number => {
  let sum = 0
  for (let index = from; index < to; index += 1) sum += leaves[index]?.weight ?? 0
  return sum
}

/** Adds what is needed for `leaves[from..to)`; answers its index, or `~position` of the only channel. */
const build = (
  nodes: Node[],
  leaves: readonly Leaf[],
  { from, to }: { readonly from: number; readonly to: number },
  bit: number,
): number => {
  const only = leaves[from]
  if (only === undefined || to - from === 1) return ~(only?.position ?? 0)
  const split = firstWith(leaves, from, to, bit)
  if (split === from || split === to) return build(nodes, leaves, { from, to }, bit - 1)
  const left = build(nodes, leaves, { from, to: split }, bit - 1)
  const right = build(nodes, leaves, { from: split, to }, bit - 1)
  const [lighter, whole] = [weightIn(leaves, from, split), weightIn(leaves, from, to)]
  return nodes.push({ left, right, share: lighter / whole, name: nameOf(only.key, bit) }) - 1
}

/**
 * Ids in a binary tree by their bits. Each branch is chosen by a hash of the session and of the branch, in proportion to the weights on its
 * sides, so that a channel that comes or goes changes only the branches above it, and those by little.
 */
export const weightTrie = ({ channels }: Tier): WeightTrie => {
  const leaves = channels
    .map((channel, position) => ({ key: spread(0, channel.id), position, weight: weightOf(channel) }))
    .sort((left, right) => left.key - right.key)
  const nodes: Node[] = []
  const root = build(nodes, leaves, { from: 0, to: leaves.length }, topBit)
  return {
    choose(hash) {
      let at = root
      while (at >= 0) {
        const node = nodes[at]
        if (node === undefined) return undefined
        at = spread(node.name, hash) / range < node.share ? node.left : node.right
      }
      return channels[~at]
    },
  }
}
