import type { DatedPrice, PriceKind } from '@tollgate/contract'
import { ownMember } from '@tollgate/contract/own-member'
import { compare, decimal, multiply } from '../../billing/decimal.ts'
import { completeRates } from '../../billing/overrides/rates-of-list.ts'
import { usualTiers } from '../../billing/overrides/tier-rates.ts'
import { type Decimal, parentOf } from '../../billing/price.ts'

type Rates = DatedPrice['rates']
type Tier = NonNullable<DatedPrice['in_tiers']>[string]

/** The price of a kind, or of the kind that it counts as. */
const usualRate = (rates: Rates): ((kind: PriceKind) => Decimal | undefined) => {
  const complete = completeRates(
    Object.fromEntries(
      Object.entries(rates).flatMap(([kind, rate]) => (rate === undefined ? [] : [[kind, decimal(rate)]])),
    ),
  )
  return (kind) => {
    const parent = ownMember(parentOf, kind)
    return complete[kind] ?? (parent === undefined ? undefined : complete[parent])
  }
}

/** The kinds of a tier that are no factor of the usual price. */
const deviations = (usual: Rates, stated: Rates, factor: number | undefined): Rates => {
  const rateOf = usualRate(usual)
  return Object.fromEntries(
    Object.entries(stated).filter(([kind, rate]) => {
      const base = rateOf(kind as PriceKind)
      if (rate === undefined || base === undefined || factor === undefined) return rate !== undefined
      return compare(multiply(base, decimal(factor)), decimal(rate)) !== 0
    }),
  )
}

const isEmpty = (rates: Rates): boolean => Object.keys(rates).length === 0

const ownOf = ({ rates, contexts = [] }: DatedPrice, tier: Tier, factor: number | undefined): Tier | undefined => {
  const own = deviations(rates, tier.rates, factor)
  const ownContexts = (tier.contexts ?? []).flatMap(({ above, rates: stated }) => {
    const usual = contexts.find((context) => context.above === above)?.rates
    // A length that the usual price does not tell apart is no length of the tier either.
    const found = usual === undefined ? {} : deviations(usual, stated, factor)
    return isEmpty(found) ? [] : [{ above, rates: found }]
  })
  if (isEmpty(own) && ownContexts.length === 0) return undefined
  return { rates: own, ...(ownContexts.length === 0 ? {} : { contexts: ownContexts }) }
}

/**
 * A price with what its tiers ask beside the factor that the model has for them. What the factor makes of the usual price says nothing
 * new, and follows a usual price that changes.
 */
export const withOwnTiers = (model: string, price: DatedPrice): DatedPrice => {
  const { in_tiers: stated, ...rest } = price
  if (stated === undefined) return price
  const factors = { ...usualTiers(model), ...price.tiers }
  const own = Object.entries(stated).flatMap(([name, tier]) => {
    const found = ownOf(price, tier, ownMember(factors, name))
    return found === undefined ? [] : [[name, found] as const]
  })
  return own.length === 0 ? rest : { ...rest, in_tiers: Object.fromEntries(own) }
}
