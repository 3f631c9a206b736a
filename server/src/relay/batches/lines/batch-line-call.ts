import type { Price } from '../../../billing/price.ts'
import type { Outcome, ProviderAnswer } from '../../exchange/exchange.ts'
import type { HeldCall } from '../../holds/place-hold.ts'
import type { RelayOptions } from '../../ports.ts'
import { RelayedCall } from '../../relayed-call.ts'
import type { AnswerDelivery } from '../../settle-outcome.ts'
import type { Bill } from '../../with-hold.ts'
import { batchTier, inBatchTier } from '../billing/answer-usage.ts'

/** The same answer, whose usage has the tier of batches, also where it states the standard one. */
const inBatch = (answer: ProviderAnswer): ProviderAnswer =>
  // The answer keeps its own methods and state: these two stand before them.
  Object.create(answer, {
    usage: {
      value: () => {
        const usage = answer.usage()
        return usage && inBatchTier(usage)
      },
    },
    extras: { value: () => ({ ...answer.extras(), tier: batchTier }) },
  })

/** A call that was made as a line of a provider's batch: charged at the price of batches. */
export class BatchLineCall extends RelayedCall {
  override settle(
    outcome: Outcome | undefined,
    held: HeldCall,
    price: Price,
    options: RelayOptions,
  ): Bill<AnswerDelivery> | Promise<Bill<AnswerDelivery>> {
    const own = outcome?.kind === 'answered' ? { ...outcome, answer: inBatch(outcome.answer) } : outcome
    return super.settle(own, held, price, options)
  }
}
