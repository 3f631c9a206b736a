import { routedModel } from '../../billing/routed-model.ts'
import { rulesOf } from '../../dialects/facts/models.ts'
import type { RelayCall } from '../call.ts'
import { groupMarks } from '../exchange/cache-marks.ts'
import type { CallPlan } from '../plan/call-plan.ts'
import type { Channels, RelayChannel, RelayOptions } from '../ports.ts'
import { targetsOf } from '../routing/virtual/virtual-model.ts'

export type CacheMarks = '5m' | '1h' | undefined

type MarkedCall = Pick<RelayCall, 'caller' | 'model' | 'route' | 'plan'>

/** The dearer of two lives in a cache. */
export const longerMarks = (one: CacheMarks, other: CacheMarks): CacheMarks =>
  one === '1h' || other === '1h' ? '1h' : (one ?? other)

const marksOf = (channels: readonly Pick<RelayChannel, 'cacheMarks'>[]): CacheMarks => {
  const ways = new Set(channels.map(({ cacheMarks }) => cacheMarks))
  return ways.has('1h') ? '1h' : ways.has('5m') ? '5m' : undefined
}

/** Which marks channels may set in a call, before one is chosen. */
export const openChannelMarks =
  ({ snapshot }: Pick<Channels, 'snapshot'>): ((call: MarkedCall) => CacheMarks) =>
  ({ caller, model, route }) => {
    const state = snapshot()
    const { group, forcedChannel } = caller
    if (forcedChannel !== undefined) {
      const forced = state.byId(forcedChannel)
      return forced === undefined ? undefined : marksOf([forced])
    }
    const models = route === undefined ? [model] : targetsOf(route.virtual).map((target) => target.model)
    return marksOf(models.flatMap((each) => state.serving(group, routedModel(each))))
  }

/** Models that take caches with marks are cached unasked, too, and what they write has a price of its own. */
const unaskedMarks = (model: string): CacheMarks => (rulesOf(model)?.breakpoints === true ? '5m' : undefined)

/** How long the prompt of a call is cached at most that sets no marks itself. */
export type UnsetMarks = (call: MarkedCall, options: Pick<RelayOptions, 'cacheMarks'>) => CacheMarks

/** Marks of calls that set none, found once for a plan; for a call without one each time. */
export const openUnsetMarks = (channels: Pick<Channels, 'snapshot'>): UnsetMarks => {
  const ofChannels = openChannelMarks(channels)
  const planned = new WeakMap<CallPlan, CacheMarks | 'none'>()

  const found: UnsetMarks = (call, options) =>
    longerMarks(groupMarks(options, call), ofChannels(call)) ?? unaskedMarks(call.model)

  const ofPlan = (plan: CallPlan, call: MarkedCall, options: Pick<RelayOptions, 'cacheMarks'>): CacheMarks => {
    const marks = found(call, options)
    planned.set(plan, marks ?? 'none')
    return marks
  }

  return (call, options) => {
    const { plan } = call
    if (plan === undefined) return found(call, options)
    const known = planned.get(plan) ?? ofPlan(plan, call, options)
    return known === 'none' ? undefined : known
  }
}
