import type { Price } from '../billing/price.ts'
import type { ChannelPrices } from '../billing/upstream/channel-prices.ts'
import { type UpstreamCost, upstreamCost } from '../billing/upstream/upstream-cost.ts'
import type { Usage } from '../billing/usage.ts'
import type { CallFacts } from './call.ts'
import type { AttemptLog } from './records/attempt-log.ts'

type Call = Pick<CallFacts, 'model' | 'startedAt'>

/** What the channel that was asked last takes for its model; undefined where that is not known. */
export const upstreamPriceOf = (
  { model, startedAt }: Call,
  { channel, upstreamModel }: AttemptLog,
  costs: ChannelPrices | undefined,
): Price | undefined =>
  channel === undefined ? undefined : costs?.of(channel, upstreamModel === '' ? model : upstreamModel, startedAt)

/** What this usage costs at the channel that answered; undefined, which is not 0, where that is not known. */
export const callCost = (
  usage: Usage,
  call: Call,
  attemptLog: AttemptLog,
  costs: ChannelPrices | undefined,
): UpstreamCost | undefined => upstreamCost(usage, upstreamPriceOf(call, attemptLog, costs))
