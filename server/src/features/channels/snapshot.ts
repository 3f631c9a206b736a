import { routedModel } from '../../billing/routed-model.ts'
import type { ChannelSnapshot, RelayChannel } from '../../relay/ports.ts'
import { type RelayVirtualModel, targetsOf } from '../../relay/routing/virtual/virtual-model.ts'

/** The relay's snapshot, and what the console asks of it. */
export interface ChannelPicture extends ChannelSnapshot {
  /** Names of the models that any enabled channel offers, sorted. */
  readonly models: readonly string[]
  /** The model whose price a name has: the first target of a virtual model without a price of its own, else the name. */
  pricedAs(model: string): string
  /** Every channel, enabled or not. */
  all(): readonly RelayChannel[]
}

const none: readonly RelayChannel[] = []

/**
 * Builds the picture of all channels that the relay routes by: group → model → enabled channels. Virtual models stand before
 * models of the same name.
 */
export const channelSnapshot = (
  channels: Iterable<RelayChannel>,
  virtualModels: Iterable<RelayVirtualModel> = [],
): ChannelPicture => {
  const byId = new Map<number, RelayChannel>()
  const groups = new Map<string, Map<string, RelayChannel[]>>()
  for (const channel of channels) {
    byId.set(channel.id, channel)
    if (channel.enabled) index(groups, channel)
  }
  // Built for the first call that finds no channel.
  let all: ReadonlySet<string> | undefined
  const serving: ChannelPicture['serving'] = (group, model) => {
    const models = groups.get(group)
    return models?.get(model) ?? models?.get(routedModel(model)) ?? none
  }
  const byName = new Map([...virtualModels].map((model) => [model.name, model] as const))
  const virtual: ChannelPicture['virtual'] = (group, name) => {
    const found = byName.get(name)
    return found?.groups?.has(group) === false ? undefined : found
  }
  // Asked for each call of a virtual model, and looked up once for each of its groups.
  const behind = new Map<RelayVirtualModel, Map<string, boolean>>()
  const hasChannel = (group: string, model: RelayVirtualModel): boolean => {
    const known = behind.get(model) ?? new Map<string, boolean>()
    behind.set(model, known)
    const before = known.get(group)
    if (before !== undefined) return before
    const found = targetsOf(model).some((target) => serving(group, target.model).some(target.fits))
    known.set(group, found)
    return found
  }
  const namesOf = (group: string, models: ReadonlyMap<string, unknown>): readonly string[] => {
    const offered = [...byName.values()].filter(
      (model) => virtual(group, model.name) !== undefined && hasChannel(group, model),
    )
    return [...new Set([...models.keys(), ...offered.map(({ name }) => name)])].sort()
  }
  const names = new Map([...groups].map(([group, models]) => [group, namesOf(group, models)] as const))
  return {
    serving,
    virtual,
    canAnswer: (group, model) => {
      const found = byName.size === 0 ? undefined : virtual(group, model)
      return found === undefined ? serving(group, model).length > 0 : hasChannel(group, found)
    },
    byId: (id) => byId.get(id),
    pricedAs: (name) => {
      const found = byName.get(name)
      return found === undefined || found.ownPrice ? name : (found.steps[0]?.[0]?.model ?? name)
    },
    all: () => [...byId.values()],
    knows: (model) => {
      all ??= new Set([...byId.values()].flatMap((channel) => [...channel.models]))
      return all.has(model) || all.has(routedModel(model)) || byName.has(model)
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
