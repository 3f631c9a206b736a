import type { Receipt } from '@tollgate/contract'
import { receiptOf, servedPrice } from '../billing/cost.ts'
import { withToolsOf } from '../billing/named-models/other-prices.ts'
import type { Price } from '../billing/price.ts'
import type { UpstreamCost } from '../billing/upstream/upstream-cost.ts'
import { noUsage, type Usage } from '../billing/usage.ts'
import type { RelayCall } from './call.ts'
import { callCost, settledCost } from './call-cost.ts'
import type { Answered, Used } from './exchange/exchange.ts'
import type { AttemptLog } from './records/attempt-log.ts'
import { type CacheParts, cacheOfCall } from './sessions/cache-of-call.ts'
import { withAnswerModels } from './usage/answer-models.ts'
import type { WithHoldParts } from './with-hold.ts'

/** An answer that is to be billed. */
export interface BilledAnswer {
  readonly outcome: Answered
  readonly call: RelayCall
  readonly attemptLog: AttemptLog
  readonly parts: Pick<WithHoldParts, 'costs'> & CacheParts
  /** Quota units of a dollar. */
  readonly quotaPerUnit: number
}

/** The usage of an answer, its charge, and its cost at the provider. */
export interface AnswerBill {
  readonly used: Used
  readonly usage: Usage
  readonly receipt: Receipt
  /** Of the model that the receipt names. */
  readonly price: Price
  /** At the provider; undefined where it is not known. */
  readonly cost: UpstreamCost | undefined
  readonly cache: ReturnType<typeof cacheOfCall>
}

/** The bill of any answer, at the price of its call. */
export const answerBill = (billed: BilledAnswer, used: Used, price: Price): AnswerBill => {
  const { outcome, call, attemptLog, parts } = billed
  const { upstreamModel } = attemptLog
  const { estimated, free } = used
  const usage = free === true ? noUsage : withAnswerModels(used.usage, outcome, { call, model: upstreamModel, price })
  const receipt = receiptOf(usage, usage.tools === undefined ? price : withToolsOf(price, upstreamModel), { estimated })
  const cost = costOf(billed, usage, estimated)
  const served = servedPrice(usage, price)
  return {
    used,
    usage,
    receipt,
    price: served,
    cost,
    cache: cacheOfCall(call, { usage, price: served }, attemptLog, parts),
  }
}

/** A statement at the beginning of an answer is not yet its cost. */
const costOf = (
  { outcome, call, attemptLog, parts, quotaPerUnit }: BilledAnswer,
  usage: Usage,
  estimated: boolean,
): UpstreamCost | undefined =>
  outcome.end === 'done'
    ? settledCost({ usage, estimated, inHead: outcome.stated, quotaPerUnit }, call, attemptLog, parts.costs)
    : callCost(usage, call, attemptLog, parts.costs)
