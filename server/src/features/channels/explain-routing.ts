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
  /** Scores among channels of one priority; absent for chance by weight. */
  readonly scoring?: Scoring | undefined
}

/** Figures by which channels are compared: the lowest is best. */
export interface Scoring {
  /** undefined where nothing is known. */
  scoreOf(channel: RelayChannel): number | undefined
  /** Factor within which a score counts as good as the best. */
  readonly slack: number
  /** True where channels of which nothing is known are asked first. */
  readonly measures: boolean
}

type Chances = ReadonlyMap<number, number>

/** Of channels that may be chosen, those that their figures leave, each as likely as the others. */
const scoredChances = (chances: Chances, byId: ReadonlyMap<number, RelayChannel>, scoring: Scoring): Chances => {
  const scores = [...chances.keys()].map((id) => {
    const channel = byId.get(id)
    return [id, channel && scoring.scoreOf(channel)] as const
  })
  const known = scores.flatMap(([, score]) => (score === undefined ? [] : [score]))
  if (known.length === 0) return chances
  const most = Math.min(...known) * scoring.slack
  const best = scores.filter(([, score]) => (score === undefined ? scoring.measures : score <= most))
  return new Map(best.map(([id]) => [id, 1 / best.length]))
}

const rank: Readonly<Record<RoutingReason, number>> = {
  chosen: 0,
  not_best: 1,
  lower_priority: 2,
  cooling_down: 3,
  disabled: 4,
  group: 5,
}

/** How the relay would choose a channel now, from the same picture and the same health. Sends nothing. */
export const explainRoutingOf = (
  { snapshot, stateOf }: ExplainParts,
  { model, group, fits, scoring }: ExplainedModel,
): RoutingRow[] => {
  const picture = snapshot()
  const routed = routedModel(model)
  const candidates = picture.serving(group, model).filter(fits ?? (() => true))
  const byId = new Map(candidates.map((channel) => [channel.id, channel]))
  const avoids = ({ id }: RelayChannel): boolean => ['open', 'resting'].includes(stateOf(id, routed).state)
  const eligible = firstChances(candidates, avoids)
  const chances = scoring === undefined ? eligible : scoredChances(eligible, byId, scoring)
  const reasonOf = (channel: RelayChannel): RoutingReason => {
    if (chances.has(channel.id)) return 'chosen'
    if (eligible.has(channel.id)) return 'not_best'
    if (byId.has(channel.id)) return avoids(channel) ? 'cooling_down' : 'lower_priority'
    return channel.enabled ? 'group' : 'disabled'
  }
  const serving = picture.all().filter(({ models }) => models.has(model) || models.has(routed))
  return serving
    .filter(fits ?? (() => true))
    .map((channel) => ({ channel, score: scoring?.scoreOf(channel) }))
    .map(({ channel, score }) => ({
      id: channel.id,
      name: channel.name,
      type: channel.type,
      priority: channel.priority,
      weight: channel.weight,
      ...stateOf(channel.id, routed),
      reason: reasonOf(channel),
      share: chances.get(channel.id) ?? 0,
      ...(score === undefined ? {} : { score }),
    }))
    .toSorted((a, b) => rank[a.reason] - rank[b.reason] || b.priority - a.priority || b.share - a.share || a.id - b.id)
}
