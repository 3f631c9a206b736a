import type { Decimal, Price, Rates } from '../../billing/price.ts'

const isZero = ({ digits }: Decimal): boolean => digits === 0n

const areZero = (rates: Rates): boolean => Object.values(rates).every(isZero)

/** True if a price is 0 for any usage: by its call, its unit, its group, or all of its rates. Tools of the provider have prices of their own. */
export const costsNothing = ({ perCall, unit, groupRatio, rates, contexts, inTiers, pictures }: Price): boolean => {
  if (isZero(groupRatio)) return true
  if (perCall !== undefined) return isZero(perCall)
  if (isZero(unit)) return true
  const longer = (contexts ?? []).map((context) => context.rates)
  const tiers = Object.values(inTiers ?? {}).flatMap((tier) => [
    tier.rates,
    ...(tier.contexts ?? []).map((context) => context.rates),
  ])
  return [rates, ...longer, ...tiers].every(areZero) && Object.values(pictures ?? {}).every(isZero)
}
