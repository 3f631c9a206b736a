import { type BilingualText, role } from '@tollgate/contract'
import { cost } from '../../billing/cost.ts'
import { estimatePrompt } from '../../billing/counting/prompt.ts'
import type { Price } from '../../billing/price.ts'
import { noUsage, type Usage } from '../../billing/usage.ts'
import { maxTokensOf } from '../../dialects/conversation/request-fields.ts'
import { AppError } from '../../lib/app-error.ts'
import type { CallFacts, RelayCall } from '../call.ts'
import type { CallPlan } from '../plan/call-plan.ts'
import type { Caller, Prices } from '../ports.ts'

const adviceForRoot: BilingualText = { zh: '，请设置或开始自用模式', en: 'set or start self-use mode' }
const adviceForOthers: BilingualText = { zh: ', 请联系管理员设置', en: 'contact administrator to set' }

/** Refuses a model without a price. The message for root users says how to set one. */
export const unpriced = (model: string, caller: Pick<Caller, 'role'>): AppError => {
  const advice = caller.role >= role.root ? adviceForRoot : adviceForOthers
  return new AppError('model_price_error', { params: { model, advice: advice.zh, advice_en: advice.en } })
}

/** The price of a model for a caller; undefined where it has none. */
export const priceOf = (prices: Prices, model: string, { group, acceptsUnpricedModels }: Caller): Price | undefined =>
  prices.of(model, group, { acceptsUnpriced: acceptsUnpricedModels })

/** The price of a call that has a plan. Throws AppError('model_price_error'). */
export const plannedPrice = ({ price, model, caller }: CallPlan): Price => {
  if (price === undefined) throw unpriced(model, caller)
  return price
}

/** Frozen price of a call: of its plan where it has one. Throws AppError('model_price_error'). */
export const priceFor = (
  prices: Prices,
  { caller, model, plan }: Pick<CallFacts, 'caller' | 'model' | 'plan'>,
): Price => {
  const price = plan?.price ?? priceOf(prices, model, caller)
  if (price === undefined) throw unpriced(model, caller)
  return price
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
