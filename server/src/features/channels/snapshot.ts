import { routedModel } from '../../billing/routed-model.ts'
import type { ChannelSnapshot, RelayChannel } from '../../relay/ports.ts'

/** The relay's snapshot, and what the console asks of it. */
export interface ChannelPicture extends ChannelSnapshot {
  /** Names of the models that any enabled channel offers, sorted. */
  readonly models: readonly string[]
  /** Every channel, enabled or not. */
  all(): readonly RelayChannel[]
}

const none: readonly RelayChannel[] = []

/** Builds the picture of all channels that the relay routes by: group → model → enabled channels. */
export const channelSnapshot = (channels: Iterable<RelayChannel>): ChannelPicture => {
  const byId = new Map<number, RelayChannel>()
  const groups = new Map<string, Map<string, RelayChannel[]>>()
  for (const channel of channels) {
    byId.set(channel.id, channel)
    if (channel.enabled) index(groups, channel)
  }
  // Built for the first call that finds no channel.
  let all: ReadonlySet<string> | undefined
  const names = new Map([...groups].map(([group, models]) => [group, [...models.keys()].sort()] as const))
  return {
    candidates: (group, model) => {
      const models = groups.get(group)
      return models?.get(model) ?? models?.get(routedModel(model)) ?? none
    },
    byId: (id) => byId.get(id),
    all: () => [...byId.values()],
    knows: (model) => {
      all ??= new Set([...byId.values()].flatMap((channel) => [...channel.models]))
      return all.has(model) || all.has(routedModel(model))
    },
    modelsOf: (group) => names.get(group) ?? [],
    models: [...new Set([...names.values()].flat())].sort(),
  }
}

const index = (groups: Map<string, Map<string, RelayChannel[]>>, channel: RelayChannel): void => {
  for (const group of channel.groups) {
    const models = groups.get(group) ?? new Map<string, RelayChannel[]>()
    groups.set(group, models)
    for (const model of channel.models) {
      const serving = models.get(model)
      if (serving) serving.push(channel)
      else models.set(model, [channel])
    }
  }
}
