import { channelFence as fenceSchema } from '@tollgate/contract'
import { parseObject } from '@tollgate/contract/json'
import { routedModel } from '../../billing/routed-model.ts'
import { createBoundedCache } from '../../lib/caches/bounded-cache.ts'
import type { Caller, ChannelSnapshot, KeyChannelFence, RelayChannel } from '../ports.ts'
import { channelsFor } from './virtual/target-channels.ts'
import { targetsOf } from './virtual/virtual-model.ts'

type FencedChannel = Pick<RelayChannel, 'id' | 'tag'>

/** One of the stored fences; a text that cannot be read lets nothing through, because it was meant to keep something out. */
const fitsOf = (text: string): KeyChannelFence['fits'] => {
  const read = fenceSchema.safeParse(parseObject(text))
  if (!read.success) return () => false
  const [ids, tags] = [new Set(read.data.channels), new Set(read.data.tags)]
  return ({ id, tag = '' }) => ids.has(id) || (tag !== '' && tags.has(tag))
}

/** Fences by their texts: the keys of a project share one, with its lists. */
const mostKnown = 5000
const known = createBoundedCache<string, KeyChannelFence>({ entries: mostKnown })

/** The fence that stored ones make together; undefined where there is none. */
export const channelFence = (texts: readonly (string | null | undefined)[]): KeyChannelFence | undefined => {
  const stored = texts.filter((text) => typeof text === 'string' && text !== '') as string[]
  if (stored.length === 0) return undefined
  const name = JSON.stringify(stored)
  const before = known.get(name)
  if (before !== undefined) return before
  const all = stored.map(fitsOf)
  const fits: KeyChannelFence['fits'] = (channel) => all.every((one) => one(channel))
  const lists = new WeakMap<readonly RelayChannel[], readonly RelayChannel[]>()
  const fence: KeyChannelFence = {
    fits,
    within: (channels) => {
      const seen = lists.get(channels)
      if (seen !== undefined) return seen
      const list = channels.every(fits) ? channels : channels.filter(fits)
      lists.set(channels, list)
      return list
    },
  }
  known.set(name, fence)
  return fence
}

type FencedCaller = Pick<Caller, 'group' | 'project'>

/** Enabled channels for a model, as far as the caller may use them. */
export const servingTo = (
  { group, project }: FencedCaller,
  model: string,
  snapshot: Pick<ChannelSnapshot, 'serving'>,
): readonly RelayChannel[] => {
  const serving = snapshot.serving(group, model)
  return project?.channels === undefined ? serving : project.channels.within(serving)
}

/** True if an enabled channel that the caller may use can answer calls of a model; of a virtual one, of any of its targets. */
export const canAnswerTo = (caller: FencedCaller, model: string, snapshot: ChannelSnapshot): boolean => {
  const { group, project } = caller
  if (project?.channels === undefined) return snapshot.canAnswer(group, model)
  const virtual = snapshot.virtual(group, model)
  if (virtual === undefined) return servingTo(caller, model, snapshot).length > 0
  return targetsOf(virtual).some(
    (target) => channelsFor(target, servingTo(caller, routedModel(target.model), snapshot)).length > 0,
  )
}

/** A channel that is the only one for a call, if the caller may use it. */
export const openTo = <Channel extends FencedChannel>(
  { project }: FencedCaller,
  channel: Channel | undefined,
): Channel | undefined => (channel === undefined || project?.channels?.fits(channel) === false ? undefined : channel)
