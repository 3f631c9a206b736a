import { plainCost, plainReceipt } from '../billing/compiled-price.ts'
import { placeOfAddress } from '../billing/declared/places.ts'
import type { Price } from '../billing/price.ts'
import type { ChannelPrices, SpannedPrice } from '../billing/upstream/channel-prices.ts'
import type { Usage } from '../billing/usage.ts'
import type { AnswerBill, BilledAnswer } from './answer-bill.ts'
import { callCost, settledCost } from './call-cost.ts'
import type { RelayChannel } from './ports.ts'
import { cacheOfCall } from './sessions/cache-of-call.ts'
import { withAnswerModels } from './usage/answer-models.ts'
import { mayCountOne } from './usage/several-answers.ts'

/**
 * The usage that `usedBy` and `withAnswerModels` find in a complete text answer with plausible reported tokens of prompt and completion;
 * undefined for all others.
 */
const plainUsage = ({ outcome, call, attemptLog }: BilledAnswer, price: Price): Usage | undefined => {
  const { answer, end } = outcome
  const { channel, upstreamModel } = attemptLog
  if (end !== 'done' || channel === undefined) return undefined
  if (call.endpoint !== 'conversation' && call.endpoint !== 'completions') return undefined
  const { engine, freesRefusals } = channel.provider
  if (freesRefusals === true && answer.refusedAtOnce?.() === true) return undefined
  const usage = answer.usage()
  if (usage === undefined || usage.stated !== undefined || answer.doubted() !== undefined) return undefined
  // Zeros are what some upstreams write that do not count.
  if (usage.output === 0 || usage.input + usage.cacheRead + usage.cacheWrite + usage.audioInput === 0) return undefined
  if (engine !== undefined && mayCountOne(call, { usage, estimated: false }, channel)) return undefined
  // Only streams report the beginning of an answer.
  if (answer.statedModel?.(false) === upstreamModel && !(answer.begun && answer.isPartial())) return usage
  return withAnswerModels(usage, outcome, { call, model: upstreamModel, price }) === usage ? usage : undefined
}

/** A channel's price of a model, and the moments for which it holds. */
interface UpstreamPrice extends SpannedPrice {
  readonly model: string
  /** The place that the channel's address stands for; undefined for almost all. */
  readonly place: string | undefined
  readonly costs: ChannelPrices
}

/**
 * Prices of channels, found once beside each price that users pay. Both are made anew with every change of options, lists and declarations, and a
 * changed channel is another object. A call keeps what it began with.
 */
const upstreamPrices = new WeakMap<Price, WeakMap<RelayChannel, UpstreamPrice>>()

const upstreamPrice = (
  price: Price,
  channel: RelayChannel,
  { model, at, costs }: { readonly model: string; readonly at: number; readonly costs: ChannelPrices },
): UpstreamPrice => {
  const ofPrice = upstreamPrices.get(price)
  const known = ofPrice?.get(channel)
  if (known !== undefined && known.model === model && known.costs === costs && at >= known.from && at < known.until)
    return known
  const fresh = { ...costs.spanned(channel, model, at), model, costs, place: placeOfAddress(channel.baseUrl) }
  if (ofPrice === undefined) upstreamPrices.set(price, new WeakMap([[channel, fresh]]))
  else ofPrice.set(channel, fresh)
  return fresh
}

/** The cost of a plain answer at its channel, as `settledCost` computes it. */
const costOf = (billed: BilledAnswer, usage: Usage, price: Price): AnswerBill['cost'] => {
  const { outcome, call, attemptLog, parts, quotaPerUnit } = billed
  const { channel, upstreamModel } = attemptLog
  const { costs } = parts
  if (costs === undefined || channel === undefined) return undefined
  if (outcome.stated !== undefined)
    return settledCost({ usage, estimated: false, inHead: outcome.stated, quotaPerUnit }, call, attemptLog, costs)
  const model = upstreamModel === '' ? call.model : upstreamModel
  const beside = upstreamPrice(price, channel, { model, at: call.startedAt, costs })
  if (beside.price === undefined) return undefined
  const known = beside.place === undefined ? plainCost(usage, beside.price) : undefined
  return known ?? callCost(usage, call, attemptLog, costs)
}

/**
 * The bill of an answer with plain usage and price, in one step. undefined for every other answer, which `usedBy` and `answerBill` bill;
 * for plain ones their result is the same.
 */
export const plainBill = (billed: BilledAnswer, price: Price): AnswerBill | undefined => {
  const usage = plainUsage(billed, price)
  const receipt = usage && plainReceipt(usage, price)
  if (usage === undefined || receipt === undefined) return undefined
  const { call, attemptLog, parts } = billed
  const cost = costOf(billed, usage, price)
  // Without a session only what was read from a cache has a figure.
  const mayHaveCache = attemptLog.session !== undefined || usage.cacheRead !== 0
  const cache = mayHaveCache ? cacheOfCall(call, { usage, price }, attemptLog, parts) : undefined
  return { used: { usage, estimated: false }, usage, receipt, price, cost, cache }
}
