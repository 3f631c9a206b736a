import type { RelayChannel } from '../../ports.ts'
import type { RelayTarget } from './virtual-model.ts'

/** Lists of a snapshot live as long as it does; what is chosen from is the same list again for the same target. */
const restricted = new WeakMap<readonly RelayChannel[], WeakMap<RelayTarget, readonly RelayChannel[]>>()

/** Those of the channels of a model that may answer for a target; all of them where there is none. */
export const channelsFor = (
  target: RelayTarget | undefined,
  serving: readonly RelayChannel[],
): readonly RelayChannel[] => {
  if (target === undefined || !target.restricts) return serving
  const lists = restricted.get(serving) ?? new WeakMap<RelayTarget, readonly RelayChannel[]>()
  restricted.set(serving, lists)
  const before = lists.get(target)
  if (before !== undefined) return before
  const list = serving.filter(target.fits)
  lists.set(target, list)
  return list
}
