import type {
  ChannelChoice,
  FailureClass,
  VirtualModel,
  VirtualRule,
  VirtualStep,
  VirtualTarget,
} from '@tollgate/contract'
import { type Condition, conditionOf } from './condition.ts'

/** A channel, as far as targets name channels. */
interface TaggedChannel {
  readonly id: number
  readonly tag?: string
}

/** One model behind a virtual name. */
export interface RelayTarget {
  readonly model: string
  /** True if a channel may answer for it. */
  readonly fits: (channel: TaggedChannel) => boolean
  /** False where every channel fits. */
  readonly restricts: boolean
  readonly weight: number
  /** The same number on every node, for spreading conversations. */
  readonly seed: number
  /** Milliseconds since 1970; it counts from then on, and until then. */
  readonly from: number
  readonly until: number
}

export type RelayStep = readonly RelayTarget[]

interface RelayRule {
  readonly name: string
  readonly holds: Condition
  readonly steps: readonly RelayStep[]
}

/** A virtual model as the relay sees it: checked and parsed once, when the picture of all channels is made. */
export interface RelayVirtualModel {
  readonly id: number
  readonly name: string
  /** undefined means every group. */
  readonly groups: ReadonlySet<string> | undefined
  /** True where calls have the price of the virtual name, whatever answers. */
  readonly ownPrice: boolean
  readonly choice: ChannelChoice
  /** True if a second channel is asked for streams that the first is slow to begin. */
  readonly hedge: boolean
  readonly fallsBackOn: ReadonlySet<FailureClass>
  readonly rules: readonly RelayRule[]
  readonly steps: readonly RelayStep[]
}

const offset = 0x811c9dc5
const prime = 0x01000193

/** FNV-1a over UTF-16 units. */
const hashOf = (text: string): number => {
  let value = offset
  for (let index = 0; index < text.length; index += 1) value = Math.imul(value ^ text.charCodeAt(index), prime)
  return value >>> 0
}

const fitsOf = ({ channels, tag }: VirtualTarget): RelayTarget['fits'] => {
  const ids = new Set(channels)
  return (channel) => (ids.size === 0 || ids.has(channel.id)) && (tag === '' || channel.tag === tag)
}

const targetOf = (target: VirtualTarget): RelayTarget => ({
  model: target.model,
  fits: fitsOf(target),
  restricts: target.channels.length > 0 || target.tag !== '',
  weight: target.weight,
  seed: hashOf(`${target.model}\n${target.channels.join()}\n${target.tag}`),
  from: target.from * 1000,
  until: target.until === 0 ? Number.POSITIVE_INFINITY : target.until * 1000,
})

const stepsOf = (steps: readonly VirtualStep[]): readonly RelayStep[] =>
  steps.map(({ targets }) => targets.map(targetOf))

const ruleOf = ({ name, when, steps }: VirtualRule): RelayRule => ({
  name,
  holds: conditionOf(when),
  steps: stepsOf(steps),
})

/** Makes of a stored virtual model what the relay routes by. */
export const relayVirtualModel = (model: VirtualModel): RelayVirtualModel => ({
  id: model.id,
  name: model.name,
  groups: model.groups.length === 0 ? undefined : new Set(model.groups),
  ownPrice: model.price === 'own',
  choice: model.choice,
  hedge: model.hedge,
  fallsBackOn: new Set(model.falls_back_on),
  rules: model.rules.map(ruleOf),
  steps: stepsOf(model.steps),
})

/** The way of one call through a virtual model. */
export interface CallRoute {
  readonly virtual: RelayVirtualModel
  /** Name of the rule that took the call; empty for none. */
  readonly rule: string
  readonly steps: readonly RelayStep[]
}

/** Every model that may answer, whatever the call and the time. */
export const targetsOf = ({ rules, steps }: RelayVirtualModel): readonly RelayTarget[] =>
  [...rules.flatMap((rule) => rule.steps), ...steps].flat()
