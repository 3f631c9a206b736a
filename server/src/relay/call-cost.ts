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

/** What the channel that was asked last takes for its model; undefined where that is not known. */
export const upstreamPriceOf = (call: Call, log: AttemptLog, costs: ChannelPrices | undefined): Price | undefined =>
  log.channel === undefined ? undefined : costs?.of(log.channel, askedModel(call, log), call.startedAt)

/** What this usage costs at the channel that answered; undefined, which is not 0, where that is not known. */
export const callCost = (
  usage: Usage,
  call: Call,
  attemptLog: AttemptLog,
  costs: ChannelPrices | undefined,
): UpstreamCost | undefined => upstreamCost(placed(usage, attemptLog), upstreamPriceOf(call, attemptLog, costs))

/** At an address of one region the provider asks its price for that region, whatever its answer says. */
const placed = (usage: Usage, { channel }: AttemptLog): Usage => {
  const place = channel === undefined ? undefined : placeOfAddress(channel.baseUrl)
  return place === undefined ? usage : { ...usage, place: usage.place ?? place }
}

/** What is known of an answer when its cost is settled. */
export interface CostedAnswer {
  readonly usage: Usage
  readonly estimated: boolean
  /** What the head of the answer says that it cost. */
  readonly inHead: StatedCost | undefined
  /** Quota units of a dollar. */
  readonly quotaPerUnit: number
}

/**
 * What an answer costs: as its provider states it, else as `callCost` computes it. Choices among channels that go by cost learn
 * where the two differ.
 */
export const settledCost = (
  { usage, estimated, inHead, quotaPerUnit }: CostedAnswer,
  call: Call,
  attemptLog: AttemptLog,
  costs: ChannelPrices | undefined,
): UpstreamCost | undefined => {
  const computed = callCost(usage, call, attemptLog, costs)
  return knownCost({ computed, stated: usage.stated ?? inHead, estimated, quotaPerUnit }, call, attemptLog, costs)
}

/** What is known of the cost of a call that has no usage, or one of its own. */
export interface KnownFigures extends Pick<CostedAnswer, 'estimated' | 'quotaPerUnit'> {
  /** By the prices of its channel; undefined where none is known. */
  readonly computed: UpstreamCost | undefined
  readonly stated: StatedCost | undefined
}

/** What a call costs: as its provider states it, else as computed. */
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
