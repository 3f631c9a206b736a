import type { Receipt } from '@tollgate/contract'
import { receiptOf } from '../../billing/cost.ts'
import { decimal } from '../../billing/decimal.ts'
import type { Price } from '../../billing/price.ts'
import { noUsage, type Usage } from '../../billing/usage.ts'
import type { Caller, Prices } from '../ports.ts'

/** What an action costs that has no price of its own, in units of currency. */
const fallback = decimal('0.1')

/** A task has a price per call whatever its model's tokens cost. Throws RangeError for a price beyond what can be counted. */
export const taskPrice = (prices: Prices, model: string, { group }: Pick<Caller, 'group'>): Price | undefined => {
  const price = prices.of(model, group, { acceptsUnpriced: true })
  return price && { ...price, perCall: price.perCall ?? fallback }
}

/** One call; none where the action is free. */
export const taskUsage = ({ free }: { free: boolean }): Usage => (free ? noUsage : { ...noUsage, input: 1 })

/** One call at its price; none where the action is free. */
export const taskReceipt = (price: Price, action: { free: boolean }): Receipt =>
  receiptOf(taskUsage(action), price, { estimated: false })
