import { cost } from '../../../billing/cost.ts'
import { estimatePrompt } from '../../../billing/counting/prompt.ts'
import type { Price } from '../../../billing/price.ts'
import { noUsage, type Usage } from '../../../billing/usage.ts'
import { maxTokensOf } from '../../../dialects/conversation/request-fields.ts'
import type { RelayCall } from '../../call.ts'
import { priceFor, priceOf, unpriced } from '../../exchange/call-price.ts'
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

const usualOutput = 500

/** About what a call uses, by which prices are compared. */
const usageOf = ({ raw, body, dialect }: Pick<RelayCall, 'raw' | 'body' | 'dialect'>): Usage => ({
  ...noUsage,
  input: estimatePrompt(raw.length),
  output: Math.max((dialect?.requestRules.maxTokens ?? maxTokensOf)(body), usualOutput),
})

/** The price at which a call comes to most: so much is held, whichever model answers. */
export const dearestOf = (call: Pick<RelayCall, 'raw' | 'body' | 'dialect'>, prices: Iterable<Price>): Price => {
  const usage = usageOf(call)
  const [first, ...others] = [...prices]
  if (first === undefined) throw new Error('a call has a price before it is held')
  return others.reduce((most, price) => (cost(usage, price) > cost(usage, most) ? price : most), first)
}

/** The dearest of a call's own price and those of the models that it names beside its own. */
export const dearestOfNamed = (
  call: Pick<RelayCall, 'caller' | 'raw' | 'body' | 'dialect'>,
  own: Price,
  named: readonly string[],
  prices: Prices,
): Price => dearestOf(call, [own, ...named.map((model) => priceFor(prices, { caller: call.caller, model }))])
