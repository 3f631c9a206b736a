import { dollarsOf } from '../../billing/amounts/amount-text.ts'
import { receiptOf } from '../../billing/cost.ts'
import type { Price } from '../../billing/price.ts'
import type { RelayCall } from '../call.ts'
import type { TokenCounter } from '../ports.ts'
import { usedByText } from '../usage/used.ts'

/** Cost of speech that is billed by its text alone. */
export interface SpokenCost {
  /** Dollars, as exact decimal text. */
  readonly dollars: string
  /** The upstream's model whose tokens were counted. */
  readonly model: string
}

/** Price per text token; undefined where the sound itself is billed, so that the cost is known only at its end. */
export const spokenCost = async (
  call: RelayCall,
  price: Price,
  counter: TokenCounter,
): Promise<SpokenCost | undefined> => {
  const { model } = call
  const usage = await usedByText(call, model, counter, price)
  return usage === undefined ? undefined : { dollars: dollarsOf(receiptOf(usage, price, { estimated: false })), model }
}
