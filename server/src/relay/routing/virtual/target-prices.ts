import type { Price } from '../../../billing/price.ts'
import type { RelayCall } from '../../call.ts'
import { priceOf, unpriced } from '../../exchange/call-price.ts'
import type { Prices } from '../../ports.ts'
import type { RelayTarget } from './virtual-model.ts'

/** The targets that may be asked, each with the price that a call has there. */
export type PricedTargets = ReadonlyMap<RelayTarget, Price>

/**
 * Prices of a call's targets; those without a price are left out. Throws AppError('model_price_error') where that leaves none
 * of them.
 */
export const pricedTargets = (
  prices: Prices,
  { caller, model, plan }: Pick<RelayCall, 'caller' | 'model' | 'plan'>,
  targets: readonly RelayTarget[],
): PricedTargets => {
  const priced = new Map<RelayTarget, Price>()
  for (const target of targets) {
    const price = plan === undefined ? priceOf(prices, target.model, caller) : plan.targetPrices?.get(target)
    if (price !== undefined) priced.set(target, price)
  }
  if (priced.size === 0) throw unpriced(targets[0]?.model ?? model, caller)
  return priced
}
