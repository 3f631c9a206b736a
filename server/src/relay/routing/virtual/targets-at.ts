import type { BoundPlace } from '../../call.ts'
import type { RelayTarget } from './virtual-model.ts'

/** The targets that can be asked at the only place where a call may go; all of them where it may go anywhere. */
export const targetsAt = (place: BoundPlace | undefined, targets: readonly RelayTarget[]): readonly RelayTarget[] => {
  const channel = place?.channel
  if (channel === undefined) return targets
  const there = targets.find((target) => target.fits(channel) && channel.models.has(target.model))
  return there === undefined ? targets.slice(0, 1) : [there]
}
