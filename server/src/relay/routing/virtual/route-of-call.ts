import { spread } from '../../sessions/spread.ts'
import type { CallTraits } from './condition.ts'
import type { CallRoute, RelayStep, RelayTarget, RelayVirtualModel } from './virtual-model.ts'

/** The first rule that holds for a call gives its steps. */
export const routeOf = (virtual: RelayVirtualModel, call: CallTraits): CallRoute => {
  const rule = virtual.rules.find(({ holds }) => holds(call))
  return { virtual, rule: rule?.name ?? '', steps: rule?.steps ?? virtual.steps }
}

/** Between 0 and 1, neither of them: the same for a target and a session on every node. */
const drawOf = (seed: number, hash: number): number => (spread(seed, hash) + 0.5) / 2 ** 32

/**
 * The targets of a step that count now, in the order in which they are tried. Each is first as often as its weight says
 * (-ln(u) / weight, the smallest first); a conversation has the same order in each of its turns.
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
  /** What all turns of a conversation have in common; undefined for a call that belongs to none. */
  readonly hash: number | undefined
}

/** All targets of a call in the order in which they are tried. */
export const targetOrder = ({ steps }: CallRoute, { now, random, hash }: Drawing): readonly RelayTarget[] => {
  const draw = (target: RelayTarget): number => (hash === undefined ? 1 - random() : drawOf(target.seed, hash))
  return steps.flatMap((step) => (step.length === 1 ? current(step, now) : orderOf(step, now, draw)))
}

const current = (step: RelayStep, now: number): readonly RelayTarget[] =>
  step.filter(({ from, until }) => from <= now && now < until)
