import { type VirtualModel, type VirtualModelChange, virtualModelChange } from '@tollgate/contract'
import { isObject } from '@tollgate/contract/json'
import type { z } from 'zod'

/** Replaces what stands in `channels` of each target of steps, wherever they are. */
const withChannels = (value: unknown, replace: (channel: unknown) => unknown): unknown => {
  if (Array.isArray(value)) return value.map((entry) => withChannels(entry, replace))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      name === 'channels' && Array.isArray(member) ? member.map(replace) : withChannels(member, replace),
    ]),
  )
}

/** An entry of a site file as the API takes it; `idOf` finds a channel by its label. */
export const changeOf = (
  entry: unknown,
  idOf: (label: string) => number | undefined,
): z.ZodSafeParseResult<VirtualModelChange> =>
  virtualModelChange.safeParse(
    withChannels(entry, (channel) => (typeof channel === 'string' ? (idOf(channel) ?? channel) : channel)),
  )

/** Without what files do not hold: the id and time of a stored one. */
export const plainOf = ({ id: _id, changed_time: _time, ...change }: VirtualModel): VirtualModelChange => change

const defaultTarget = { channels: [], tag: '', weight: 1, from: 0, until: 0 }
const defaultModel = virtualModelChange.parse({ name: 'x', steps: [{ targets: [{ model: 'x' }] }] })

const without = (value: object, defaults: object): Record<string, unknown> => {
  const known = new Map(Object.entries(defaults))
  return Object.fromEntries(
    Object.entries(value).filter(([name, member]) => JSON.stringify(member) !== JSON.stringify(known.get(name))),
  )
}

const shortTargets = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(shortTargets)
  if (!isObject(value)) return value
  const members = Object.entries(value).map(([name, member]) => [
    name,
    name === 'targets' && Array.isArray(member)
      ? member.map((target: object) => without(target, defaultTarget))
      : shortTargets(member),
  ])
  return Object.fromEntries(members)
}

/** A virtual model as a site file has it: channels by their labels, without what absence says as well. */
export const entryOf = (
  model: VirtualModelChange,
  labelOf: (id: number) => string | undefined,
): Record<string, unknown> => {
  const { name, ...rest } = model
  const { steps: _steps, ...defaults } = defaultModel
  const named = withChannels(without(rest, defaults), (id) => (typeof id === 'number' ? (labelOf(id) ?? id) : id))
  return { name, ...(shortTargets(named) as object) }
}
