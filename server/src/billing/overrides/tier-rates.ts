import { ownMember } from '@tollgate/contract/own-member'
import { defaultTierRatios } from '@tollgate/contract/prices'
import type { ListContext, ListPrice, ListRates, ListTier } from '../book/list-price.ts'
import { compare, decimal, divide, multiply, toNumber } from '../decimal.ts'
import { keepOtherPrices, otherPricesOf } from '../named-models/other-prices.ts'
import type { Decimal, Price, Rates, TierRates } from '../price.ts'
import type { FiguresByName } from '../price-settings.ts'
import { keyedFigures } from './keyed-figures.ts'
import type { Priced } from './override.ts'

/** Enough for the relation of two prices. */
const places = 12

const kindsOf = (rates: ListRates | Rates): (readonly [keyof ListRates, Decimal])[] =>
  Object.entries<Decimal | undefined>(rates).flatMap(([kind, rate]) =>
    rate === undefined ? [] : [[kind as keyof ListRates, rate] as const],
  )

/** The dearest relation of a tier's prices to the usual ones; undefined where they share no kind. */
const dearestRelation = (usual: ListRates | Rates, tier: ListRates | Rates): number | undefined => {
  const base = new Map(kindsOf(usual))
  const relations = kindsOf(tier).flatMap(([kind, rate]) => {
    const of = base.get(kind)
    return of === undefined || of.digits === 0n ? [] : [toNumber(divide(rate, of, places))]
  })
  return relations.length === 0 ? undefined : Math.max(...relations)
}

const at = (contexts: readonly ListContext[] | undefined, above: number, usual: ListRates): ListRates =>
  contexts?.findLast((context) => context.above <= above)?.rates ?? usual

/** A list's price as it is in a tier: what the tier states, and the factor of everything else. */
const inTier = (listed: ListPrice, tier: ListTier, factor: Decimal): ListPrice => {
  const rates = (usual: ListRates, stated: ListRates): ListRates => ({
    ...Object.fromEntries(kindsOf(usual).map(([kind, rate]) => [kind, multiply(rate, factor)])),
    ...stated,
  })
  const lengths = [...(listed.contexts ?? []), ...(tier.contexts ?? [])].map(({ above }) => above)
  const contexts = [...new Set(lengths)]
    .sort((left, right) => left - right)
    .map((above): ListContext => {
      const own = tier.contexts?.find((context) => context.above === above)?.rates
      return { above, rates: rates(at(listed.contexts, above, listed.rates), own ?? {}) }
    })
  const { contexts: _, ...rest } = listed
  return { ...rest, rates: rates(listed.rates, tier.rates), ...(contexts.length === 0 ? {} : { contexts }) }
}

const isTimes = (usual: Rates, tier: Rates, factor: Decimal): boolean =>
  kindsOf(usual).every(([kind, rate]) => compare(multiply(rate, factor), tier[kind] ?? decimal(-1)) === 0)

const lengthsOf = ({ contexts }: Pick<TierRates, 'contexts'>): string =>
  (contexts ?? []).map(({ above }) => above).join()

/** True where the tier costs exactly so many times the usual price, in every kind and for every length of the prompt. */
const isClean = (usual: TierRates, tier: TierRates, factor: Decimal): boolean =>
  lengthsOf(usual) === lengthsOf(tier) &&
  isTimes(usual.rates, tier.rates, factor) &&
  (usual.contexts ?? []).every(({ rates }, index) => isTimes(rates, tier.contexts?.[index]?.rates ?? rates, factor))

interface TierParts {
  /** Factors of the options, and the built-in ones: a factor that differs was set by an operator, and wins over what a list states. */
  readonly configured: FiguresByName | undefined
  readonly usual: FiguresByName | undefined
  /** The price of the usual tier. */
  readonly rates: TierRates
  /** Makes a list's price one of ours, with the operator's other terms; undefined where the operator's ratio is the price. */
  readonly price: ((listed: ListPrice) => Priced) | undefined
}

/**
 * The tiers of a price. One that is exactly a factor of the usual price is kept as that factor; another one has its own rates.
 */
export const tiersAt = (
  listed: ListPrice | undefined,
  { configured, usual, rates, price }: TierParts,
): Pick<Price, 'tiers' | 'inTiers'> => {
  const isSet = (tier: string): boolean => {
    const own = configured && ownMember(configured, tier)
    return own !== undefined && (usual === undefined || own !== ownMember(usual, tier))
  }
  const factors = new Map(Object.entries({ ...configured, ...listed?.tiers }))
  for (const [name, factor] of Object.entries(configured ?? {})) if (isSet(name)) factors.set(name, factor)
  const own = new Map<string, TierRates>()
  for (const [name, tier] of Object.entries(listed?.inTiers ?? {})) {
    if (listed === undefined || isSet(name)) continue
    const factor = factors.get(name) ?? dearestRelation(listed.rates, tier.rates) ?? 1
    factors.set(name, factor)
    if (price === undefined) continue
    const { rates: inRates, contexts } = price(inTier(listed, tier, decimal(factor)))
    const found: TierRates = { rates: inRates, ...(contexts === undefined ? {} : { contexts }) }
    if (!isClean(rates, found, decimal(factor))) own.set(name, found)
  }
  return {
    ...(factors.size === 0 ? {} : { tiers: Object.fromEntries(factors) }),
    ...(own.size === 0 ? {} : { inTiers: Object.fromEntries(own) }),
  }
}

/** The price as it is in a tier that has prices of its own; otherwise the same object. */
export const priceInTier = (price: Price, tier: string | undefined): Price => {
  const { inTiers } = price
  const own = tier === undefined || inTiers === undefined ? undefined : ownMember(inTiers, tier)
  if (own === undefined || tier === undefined) return price
  const { contexts: _, ...rest } = price
  return keepOtherPrices({ ...rest, ...own, tiers: { ...price.tiers, [tier]: 1 } }, otherPricesOf(price))
}

/** The built-in factors of service tiers for a model; undefined for one that has none. */
export const usualTiers = keyedFigures(defaultTierRatios)

const fixed = ({ rates, contexts }: TierRates, prompt: number): TierRates => ({
  rates: contexts?.findLast(({ above }) => prompt > above)?.rates ?? rates,
})

/**
 * The price as it is for prompts of this length (tokens), in every tier: for sums of answers, which are each priced by their own prompt. The same
 * object where the length does not matter.
 */
export const priceAtLength = (price: Price, prompt: number): Price => {
  const { contexts, inTiers, ...rest } = price
  const isSame = contexts === undefined && Object.values(inTiers ?? {}).every((tier) => tier.contexts === undefined)
  if (isSame) return price
  const own = Object.entries(inTiers ?? {}).map(([name, tier]) => [name, fixed(tier, prompt)] as const)
  const one: Price = {
    ...rest,
    ...fixed(price, prompt),
    ...(inTiers === undefined ? {} : { inTiers: Object.fromEntries(own) }),
  }
  return keepOtherPrices(one, otherPricesOf(price))
}
