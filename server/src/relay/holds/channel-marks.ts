import { routedModel } from '../../billing/routed-model.ts'
import type { RelayCall } from '../call.ts'
import type { ChannelSnapshot, Channels, RelayChannel } from '../ports.ts'
import { targetsOf } from '../routing/virtual/virtual-model.ts'

export type CacheMarks = '5m' | '1h' | undefined

type MarkedCall = Pick<RelayCall, 'caller' | 'model' | 'route'>

/** The dearer of two lives in a cache. */
export const longerMarks = (one: CacheMarks, other: CacheMarks): CacheMarks =>
  one === '1h' || other === '1h' ? '1h' : (one ?? other)

const marksOf = (channels: readonly Pick<RelayChannel, 'cacheMarks'>[]): CacheMarks => {
  const ways = new Set(channels.map(({ cacheMarks }) => cacheMarks))
  return ways.has('1h') ? '1h' : ways.has('5m') ? '5m' : undefined
}

/** Which marks channels may set in a call, before one is chosen: looked up once for each state of the channels. */
export const openChannelMarks = ({ snapshot }: Pick<Channels, 'snapshot'>): ((call: MarkedCall) => CacheMarks) => {
  const states = new WeakMap<ChannelSnapshot, Map<string, CacheMarks>>()

  const serving = (state: ChannelSnapshot, group: string, models: readonly string[]): CacheMarks =>
    marksOf(models.flatMap((model) => state.serving(group, routedModel(model))))

  return ({ caller, model, route }) => {
    const state = snapshot()
    const { group, forcedChannel } = caller
    if (forcedChannel !== undefined) {
      const forced = state.byId(forcedChannel)
      return forced === undefined ? undefined : marksOf([forced])
    }
    const known = states.get(state) ?? new Map<string, CacheMarks>()
    states.set(state, known)
    const name = `${group}\n${model}`
    if (!known.has(name)) {
      const models = route === undefined ? [model] : targetsOf(route.virtual).map((target) => target.model)
      known.set(name, serving(state, group, models))
    }
    return known.get(name)
  }
}
