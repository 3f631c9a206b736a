import { AppError } from '../../lib/app-error.ts'
import type { CallNeed, ChannelLimits, LimitEntry } from '../../limits/call-limits.ts'
import { LimitRefusal } from '../../limits/call-limits.ts'
import type { RelayChannel } from '../ports.ts'
import { onlySeed, seedOfKey } from './key-choice.ts'
import type { RoutedCall, RoutingParts } from './routed-call.ts'

/** Facts of a call that limits of channels use. */
type GatedCall = Pick<RoutedCall, 'caller' | 'model' | 'ip' | 'route' | 'target' | 'named' | 'versions' | 'plan'>

/** Every channel that could answer is at one of the operator's limits. */
export class ChannelsFull extends AppError {}

/** Need of an attempt without known sizes. */
const requestAlone: CallNeed = { input: 0, output: 0, money: 0 }

/** The limits of channels and their keys, for the attempts of one call. */
export class ChannelGate {
  private readonly call: GatedCall
  private readonly need: CallNeed
  private readonly limits: ChannelLimits
  /** The refusal with the earliest reset. */
  private soonest: LimitRefusal | undefined

  constructor(call: GatedCall, need: CallNeed, limits: ChannelLimits) {
    this.call = call
    this.need = need
    this.limits = limits
  }

  private callAt({ id, name }: RelayChannel, seed: number | undefined) {
    const { caller, model, named, versions, ip, route, target, plan } = this.call
    return { caller, model, named, versions, ip, route, target, plan, channel: { id, name, seed } }
  }

  keyIsFull(channel: RelayChannel, seed: number): boolean {
    return this.limits.isFull(this.callAt(channel, seed), this.need)
  }

  /** True if the channel or all of its keys are at a limit, as far as this process knows. */
  isFull(channel: RelayChannel): boolean {
    const seeds = channel.ring?.seeds ?? onlySeed
    return (
      this.limits.isFull(this.callAt(channel, undefined), this.need) ||
      seeds.every((seed) => this.keyIsFull(channel, seed))
    )
  }

  /** Reserves one attempt; undefined where nothing limits it, a refusal at a limit. */
  enter(channel: RelayChannel, key: string): Entered | Promise<Entered> {
    try {
      const entered = this.limits.enter(this.callAt(channel, seedOfKey(channel, key)), this.need)
      return entered instanceof Promise ? entered.catch(this.refused) : entered
    } catch (error) {
      return this.refused(error)
    }
  }

  private readonly refused = (error: unknown): LimitRefusal => {
    if (!(error instanceof LimitRefusal)) throw error
    const { soonest } = this
    if (soonest === undefined || secondsOf(error) < secondsOf(soonest)) this.soonest = error
    return error
  }

  /** Error for the caller where all channels are at limits; undefined where none is. Operators see which limit it is. */
  get refusal(): ChannelsFull | undefined {
    const { soonest, call } = this
    if (soonest === undefined) return undefined
    const { retryAfter } = soonest
    const more = { details: { limit: soonest.message }, retryAfter }
    const params = { model: call.model }
    return retryAfter === undefined
      ? new ChannelsFull('channels_used_up', { ...more, params })
      : new ChannelsFull('channels_at_limit', { ...more, params: { ...params, seconds: retryAfter } })
  }
}

type Entered = LimitEntry | LimitRefusal | undefined

const secondsOf = ({ retryAfter }: LimitRefusal): number => retryAfter ?? Number.POSITIVE_INFINITY

/** undefined where nothing limits channels for the call, as almost always. */
export const channelGate = (
  call: GatedCall,
  need: CallNeed | undefined,
  { callLimits }: Pick<RoutingParts, 'callLimits'>,
): ChannelGate | undefined => {
  const { plan } = call
  if (plan !== undefined && (plan.limits === undefined || plan.limits.channels.length === 0)) return undefined
  const limits = callLimits?.ofChannels
  return limits === undefined ? undefined : new ChannelGate(call, need ?? requestAlone, limits)
}
