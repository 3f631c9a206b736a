import { cost } from '#server/billing/cost.ts'
import type { Price } from '#server/billing/price.ts'
import { noUsage, type Usage } from '#server/billing/usage.ts'
import type { Prices } from '#server/relay/ports.ts'
import { halfHourMs } from './half-hour-prices.ts'

/** A call by which prices are compared: four tokens of the prompt for one of the answer. */
const compared: Usage = { ...noUsage, input: 4_000_000, output: 1_000_000 }

const usualCosts = new WeakMap<Price, number>()

const usualCost = (price: Price): number => {
  const usual = usualCosts.get(price) ?? cost(compared, price)
  usualCosts.set(price, usual)
  return usual
}

/** Multiple of the standard price that a call costs in a tier; 1 where nothing is known to be cheaper. */
export const multipleOf = (price: Price, standard: Price, tier?: string): number => {
  if (tier === undefined && price === standard) return 1
  const usual = usualCost(standard)
  if (usual === 0) return 1
  return (tier === undefined ? usualCost(price) : cost({ ...compared, tier }, price)) / usual
}

/** A model as its caller is billed for it. */
export interface PricedModel {
  readonly model: string
  readonly group: string
  readonly acceptsUnpriced: boolean
}

/** True where the price of a model does not depend on the hour or the day, as for nearly all. */
const isSteady = (prices: Prices, { model, group }: PricedModel): boolean =>
  (prices.until?.(model, group) ?? Number.POSITIVE_INFINITY) === Number.POSITIVE_INFINITY

/** The price of a model at a moment, in milliseconds since 1970; undefined where it has none. */
export const priceAt = (prices: Prices, asked: PricedModel, at: number): Price | undefined => {
  const { model, group, acceptsUnpriced } = asked
  return prices.of(model, group, isSteady(prices, asked) ? { acceptsUnpriced } : { acceptsUnpriced, at })
}

/** Prices by the hour repeat daily but for weekends and holidays. */
const mostSteps = 48

/** The first of the cheapest moments within a day in which a model is cheaper than now; undefined without one, as for nearly all models. */
export const cheaperMoment = (
  prices: Prices,
  model: PricedModel,
  { now, until, standard }: { readonly now: number; readonly until: number; readonly standard: Price },
): { readonly at: number; readonly multiple: number } | undefined => {
  const here = priceAt(prices, model, now)
  if (here === undefined || isSteady(prices, model)) return undefined
  let best: { readonly at: number; readonly multiple: number } | undefined
  let least = multipleOf(here, standard)
  const first = Math.floor(now / halfHourMs) + 1
  for (let step = first; step < first + mostSteps && step * halfHourMs < until; step += 1) {
    const price = priceAt(prices, model, step * halfHourMs)
    const multiple = price === undefined ? least : multipleOf(price, standard)
    if (multiple >= least) continue
    least = multiple
    best = { at: step * halfHourMs, multiple }
  }
  return best
}
