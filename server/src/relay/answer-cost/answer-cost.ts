import type { Receipt } from '@tollgate/contract'
import { dollarsOf } from '../../billing/amounts/amount-text.ts'
import { completionTokens, promptTokens, type Usage } from '../../billing/usage.ts'
import type { CostPlace } from '../../dialects/cost/cost-place.ts'
import { openaiCost } from '../../dialects/cost/openai.ts'
import { shortText } from '../../lib/bounded-text.ts'
import type { RelayCall } from '../call.ts'

/** UTF-16 units: a path may name a model of any length. */
const longestPath = 200

/** A cost, and its receipt. */
export interface CostFigures {
  /** Dollars, as exact decimal text. */
  readonly dollars: string
  /** Id under which the receipt can be fetched: that of the request; undefined where there is none. */
  readonly receipt: string | undefined
}

/** Cost members of an answer. */
export interface AnswerCost extends CostFigures {
  readonly receipt: string
  readonly usage: Usage
}

/** The charge of the ledger in the form of an answer. */
export const answerCostOf = (receipt: Receipt, id: string, usage: Usage): AnswerCost => ({
  dollars: dollarsOf(receipt),
  receipt: id,
  usage,
})

/** Description of the call in its receipt. Prompt tokens include those of caches. */
export const receiptCall = (
  { model, path, startedAt }: Pick<RelayCall, 'model' | 'path' | 'startedAt'>,
  usage: Usage,
): NonNullable<Receipt['call']> => ({
  model,
  path: shortText(path, longestPath),
  started_at: startedAt,
  prompt_tokens: promptTokens(usage),
  completion_tokens: completionTokens(usage),
})

/** Place of the usage in answers to a call, which gets the cost. */
export const costPlaceOf = ({ dialect, embeds }: Pick<RelayCall, 'dialect' | 'embeds'>): CostPlace =>
  dialect?.costPlace ?? embeds?.client.costPlace ?? openaiCost

export const costHeader = 'X-Tollgate-Cost'
export const receiptHeader = 'X-Tollgate-Receipt'

/** Pages of other origins may read these headers. */
export const exposedCost = ['Access-Control-Expose-Headers', `${costHeader}, ${receiptHeader}`] as const

/** Names and values in turn. */
export const costHeaders = ({ dollars, receipt }: CostFigures): readonly string[] =>
  receipt === undefined ? [costHeader, dollars] : [costHeader, dollars, receiptHeader, receipt]
