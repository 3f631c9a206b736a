import type { RouteState, RoutingReason, RoutingRow } from '@tollgate/contract'
import { routedModel } from '../../billing/routed-model.ts'
import type { RelayChannel } from '../../relay/ports.ts'
import { firstChances } from '../../relay/routing/plan.ts'
import type { ChannelPicture } from './snapshot.ts'

export interface ExplainParts {
  snapshot(): ChannelPicture
  /** `until` in unix seconds, 0 where nothing is to be waited for. */
  stateOf(channelId: number, model: string): { state: RouteState; until: number }
}

export interface ExplainedModel {
  readonly model: string
  readonly group: string
  /** Which channels may answer at all; absent for all. */
  readonly fits?: (channel: RelayChannel) => boolean
}

const rank: Readonly<Record<RoutingReason, number>> = {
  chosen: 0,
  lower_priority: 1,
  cooling_down: 2,
  disabled: 3,
  group: 4,
}

/** How the relay would choose a channel now, from the same picture and the same health. Sends nothing. */
export const explainRoutingOf = (
  { snapshot, stateOf }: ExplainParts,
  { model, group, fits }: ExplainedModel,
): RoutingRow[] => {
  const picture = snapshot()
  const routed = routedModel(model)
  const candidates = picture.serving(group, model).filter(fits ?? (() => true))
  const isCandidate = new Set(candidates.map(({ id }) => id))
  const avoids = ({ id }: RelayChannel): boolean => ['open', 'resting'].includes(stateOf(id, routed).state)
  const chances = firstChances(candidates, avoids)
  const reasonOf = (channel: RelayChannel): RoutingReason => {
    if (chances.has(channel.id)) return 'chosen'
    if (isCandidate.has(channel.id)) return avoids(channel) ? 'cooling_down' : 'lower_priority'
    return channel.enabled ? 'group' : 'disabled'
  }
  const serving = picture.all().filter(({ models }) => models.has(model) || models.has(routed))
  return serving
    .filter(fits ?? (() => true))
    .map((channel) => ({
      id: channel.id,
      name: channel.name,
      type: channel.type,
      priority: channel.priority,
      weight: channel.weight,
      ...stateOf(channel.id, routed),
      reason: reasonOf(channel),
      share: chances.get(channel.id) ?? 0,
    }))
    .toSorted((a, b) => rank[a.reason] - rank[b.reason] || b.priority - a.priority || b.share - a.share || a.id - b.id)
}
