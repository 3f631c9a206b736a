import { type BilingualText, role } from '@tollgate/contract'
import type { Price } from '../../billing/price.ts'
import { AppError } from '../../lib/app-error.ts'
import type { CallFacts } from '../call.ts'
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
