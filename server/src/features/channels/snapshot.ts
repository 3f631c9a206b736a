import type { ChannelSnapshot, RelayChannel } from '../../relay/ports.ts'

/** The relay's snapshot, and what the console asks of it. */
export interface ChannelPicture extends ChannelSnapshot {
  /** Names of the models that any enabled channel offers, sorted. */
  readonly models: readonly string[]
}

/** Custom GPTs have a name each; channels list them by family (relay reference §4.2). */
const families = ['gpt-4-gizmo', 'gpt-4o-gizmo'] as const

const familyOf = (model: string): string | undefined => {
  const family = families.find((name) => model.startsWith(name))
  return family === undefined ? undefined : `${family}-*`
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
  const names = new Map([...groups].map(([group, models]) => [group, [...models.keys()].sort()] as const))
  return {
    candidates: (group, model) => {
      const models = groups.get(group)
      const family = familyOf(model)
      return models?.get(model) ?? (family === undefined ? none : (models?.get(family) ?? none))
    },
    byId: (id) => byId.get(id),
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
