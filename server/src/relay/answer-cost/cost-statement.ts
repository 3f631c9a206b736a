import type { Receipt } from '@tollgate/contract'
import type { Price } from '../../billing/price.ts'
import type { Usage } from '../../billing/usage.ts'
import type { Client, RelayCall } from '../call.ts'
import type { TokenCounter } from '../ports.ts'
import { type AnswerCost, answerCostOf, costHeaders, costPlaceOf, receiptCall } from './answer-cost.ts'
import { CostClient } from './cost-client.ts'
import { spokenCost } from './spoken-cost.ts'

/** The cost of a call, stated in its answer as its client asked. */
export class CostStatement {
  readonly client: CostClient
  private readonly call: RelayCall

  constructor(call: RelayCall, client: Client) {
    this.call = call
    this.client = new CostClient(client, costPlaceOf(call), call.id)
  }

  /** Finds the cost of speech that is billed by its text alone, before its sound begins; `upstreamModel` is the answering model. */
  async findSpoken(price: Price, counter: TokenCounter, upstreamModel: () => string): Promise<void> {
    const found = await spokenCost(this.call, price, counter)
    // Another upstream model may have another tokenizer.
    this.client.tellsSpoken(() => (found?.model === upstreamModel() ? found.dollars : undefined))
  }

  /** The charge in the form of an answer. Notes the call in its receipt. */
  charged(receipt: Receipt, usage: Usage): AnswerCost {
    const { call } = this
    const cost = answerCostOf(receipt, call.id, usage)
    receipt.call = receiptCall(call, usage)
    return cost
  }

  /** Adds the cost of a partial answer that ended in a failure: before the error event, or in the headers of the error. */
  addToFailure(cost: AnswerCost): void {
    if (this.client.begun) this.client.endEarly(cost)
    else this.call.costAsked?.headers?.push(...costHeaders(cost))
  }
}
