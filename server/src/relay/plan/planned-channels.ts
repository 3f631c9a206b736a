import { routedModel } from '../../billing/routed-model.ts'
import type { ChannelSnapshot, RelayChannel } from '../ports.ts'
import { servingTo } from '../routing/channel-fence.ts'
import type { RoutedCall } from '../routing/routed-call.ts'

type PlannedCall = Pick<RoutedCall, 'caller' | 'model' | 'target' | 'plan'>

/**
 * Enabled channels that the caller may use for the current model: those of the call's plan while the snapshot is the same, otherwise
 * those of the snapshot.
 */
export const servingOfCall = (
  { caller, model, target, plan }: PlannedCall,
  snapshot: ChannelSnapshot,
): readonly RelayChannel[] =>
  plan !== undefined && target === undefined && plan.snapshot === snapshot
    ? plan.serving
    : servingTo(caller, routedModel(target?.model ?? model), snapshot)

/** The channel to which the caller is held, where it still is there. */
export const forcedOfCall = (
  { plan }: Pick<PlannedCall, 'plan'>,
  forcedChannel: number,
  snapshot: ChannelSnapshot,
): RelayChannel | undefined =>
  plan !== undefined && plan.snapshot === snapshot ? plan.forced : snapshot.byId(forcedChannel)
