import type { FailureClass } from '@tollgate/contract'
import type { BoundPlace } from '../../call.ts'
import type { Refusal } from '../../upstream/upstream-failure.ts'
import { failureClassOf } from './failure-class.ts'
import type { CallRoute, RelayTarget } from './virtual-model.ts'

/** Result of one target. */
interface Tried<Outcome> {
  /** undefined where no channel could be tried. */
  readonly outcome: Outcome | undefined
  /** Set where the provider refused. */
  readonly refusal: Refusal | undefined
}

const mayFallBack = (refusal: Refusal, fallsBackOn: ReadonlySet<FailureClass>): boolean => {
  const failure = failureClassOf(refusal)
  return failure !== undefined && fallsBackOn.has(failure)
}

/**
 * Tries one target after the other until one answers, or refuses for a reason without fallback. A target without a channel is skipped;
 * undefined where all are.
 */
export const tryTargets = async <Outcome>(
  { virtual }: CallRoute,
  targets: readonly RelayTarget[],
  attempt: (target: RelayTarget, later: readonly RelayTarget[]) => Promise<Tried<Outcome>>,
): Promise<Outcome | undefined> => {
  let last: Outcome | undefined
  for (const [position, target] of targets.entries()) {
    const { outcome, refusal } = await attempt(target, targets.slice(position + 1))
    if (outcome === undefined) continue
    last = outcome
    if (refusal === undefined || !mayFallBack(refusal, virtual.fallsBackOn)) return outcome
  }
  return last
}

/** The targets that can be asked at the only place where a call may go; all of them where it may go anywhere. */
export const targetsAt = (place: BoundPlace | undefined, targets: readonly RelayTarget[]): readonly RelayTarget[] => {
  const channel = place?.channel
  if (channel === undefined) return targets
  const there = targets.find((target) => target.fits(channel) && channel.models.has(target.model))
  return there === undefined ? targets.slice(0, 1) : [there]
}
