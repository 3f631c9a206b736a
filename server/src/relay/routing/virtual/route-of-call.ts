import { spread } from '../../sessions/spread.ts'
import type { CallTraits } from './condition.ts'
import type { CallRoute, RelayStep, RelayTarget, RelayVirtualModel } from './virtual-model.ts'

/** The steps of the first rule that matches a call. */
export const routeOf = (virtual: RelayVirtualModel, call: CallTraits): CallRoute => {
  const rule = virtual.rules.find(({ holds }) => holds(call))
  return { virtual, rule: rule?.name ?? '', steps: rule?.steps ?? virtual.steps }
}

/** Hash between 0 and 1, both excluded: the same for a target and a session on every node. */
const drawOf = (seed: number, hash: number): number => (spread(seed, hash) + 0.5) / 2 ** 32

/**
 * The current targets of a step in the order in which they are tried. Each is first in proportion to its weight (-ln(u) / weight,
 * ascending); all turns of a conversation have the same order.
 */
const orderOf = (step: RelayStep, now: number, draw: (target: RelayTarget) => number): readonly RelayTarget[] =>
  step
    .filter(({ from, until }) => from <= now && now < until)
    .map((target) => ({ target, score: -Math.log(draw(target)) / target.weight }))
    .sort((left, right) => left.score - right.score)
    .map(({ target }) => target)

interface Drawing {
  /** Milliseconds since 1970. */
  readonly now: number
  /** In [0, 1). */
  readonly random: () => number
  /** Hash of the conversation; undefined for a call without one. */
  readonly hash: number | undefined
}

/** All targets of a call in the order in which they are tried. */
export const targetOrder = ({ steps }: CallRoute, { now, random, hash }: Drawing): readonly RelayTarget[] => {
  const draw = (target: RelayTarget): number => (hash === undefined ? 1 - random() : drawOf(target.seed, hash))
  return steps.flatMap((step) => (step.length === 1 ? current(step, now) : orderOf(step, now, draw)))
}

const current = (step: RelayStep, now: number): readonly RelayTarget[] =>
  step.filter(({ from, until }) => from <= now && now < until)
