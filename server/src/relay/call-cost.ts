import { placeOfAddress } from '../billing/declared/places.ts'
import type { Price } from '../billing/price.ts'
import { statedCost } from '../billing/stated/settled-cost.ts'
import { type StatedCost, statedSource } from '../billing/stated/stated-costs.ts'
import type { ChannelPrices } from '../billing/upstream/channel-prices.ts'
import { type UpstreamCost, upstreamCost } from '../billing/upstream/upstream-cost.ts'
import type { Usage } from '../billing/usage.ts'
import type { CallFacts } from './call.ts'
import type { AttemptLog } from './records/attempt-log.ts'

type Call = Pick<CallFacts, 'model' | 'startedAt'>

const askedModel = ({ model }: Call, { upstreamModel }: AttemptLog): string =>
  upstreamModel === '' ? model : upstreamModel

/** Price of the model at the channel that was asked last; undefined where it is unknown. */
export const upstreamPriceOf = (call: Call, log: AttemptLog, costs: ChannelPrices | undefined): Price | undefined =>
  log.channel === undefined ? undefined : costs?.of(log.channel, askedModel(call, log), call.startedAt)

/** Cost of a usage at the channel that answered, in quota units; undefined, not 0, where it is unknown. */
export const callCost = (
  usage: Usage,
  call: Call,
  attemptLog: AttemptLog,
  costs: ChannelPrices | undefined,
): UpstreamCost | undefined => upstreamCost(placed(usage, attemptLog), upstreamPriceOf(call, attemptLog, costs))

/** The usage with the region of the channel's address, whose price applies whatever the answer says. */
const placed = (usage: Usage, { channel }: AttemptLog): Usage => {
  const place = channel === undefined ? undefined : placeOfAddress(channel.baseUrl)
  return place === undefined ? usage : { ...usage, place: usage.place ?? place }
}

/** Inputs of the cost of an answer. */
export interface CostedAnswer {
  readonly usage: Usage
  readonly estimated: boolean
  /** Cost that a response header states. */
  readonly inHead: StatedCost | undefined
  /** Quota units of a dollar. */
  readonly quotaPerUnit: number
}

/** Cost of an answer: as its provider states it, or else as `callCost` computes it. Routing by cost learns from differences between the two. */
export const settledCost = (
  { usage, estimated, inHead, quotaPerUnit }: CostedAnswer,
  call: Call,
  attemptLog: AttemptLog,
  costs: ChannelPrices | undefined,
): UpstreamCost | undefined => {
  const computed = callCost(usage, call, attemptLog, costs)
  return knownCost({ computed, stated: usage.stated ?? inHead, estimated, quotaPerUnit }, call, attemptLog, costs)
}

/** Inputs of the cost of a call without usage, or with a usage of its own. */
export interface KnownFigures extends Pick<CostedAnswer, 'estimated' | 'quotaPerUnit'> {
  /** By the prices of its channel; undefined where none is known. */
  readonly computed: UpstreamCost | undefined
  readonly stated: StatedCost | undefined
}

/** Cost of a call: as its provider states it, or else as computed. */
export const knownCost = (
  { computed: cost, stated, estimated, quotaPerUnit }: KnownFigures,
  call: Call,
  attemptLog: AttemptLog,
  costs: ChannelPrices | undefined,
): UpstreamCost | undefined => {
  const { channel } = attemptLog
  const source = stated === undefined || channel === undefined ? undefined : statedSource(channel)
  if (stated === undefined || channel === undefined || source === undefined || costs === undefined) return cost
  const model = askedModel(call, attemptLog)
  const settled = statedCost(stated, source, { cost, estimated }, { model, quotaPerUnit })
  if (settled === undefined) return cost
  if (cost !== undefined && !estimated)
    costs.noteStated(channel, model, { stated: settled.quota, computed: cost.quota, at: call.startedAt })
  return settled
}
