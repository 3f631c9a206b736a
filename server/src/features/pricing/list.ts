import { type PricedMeasure, type PricingItem, quotaType } from '@tollgate/contract'
import { ownMember } from '@tollgate/contract/own-member'
import { compare, decimal, divide, multiply, toNumber } from '../../billing/decimal.ts'
import { priceInTier } from '../../billing/overrides/tier-rates.ts'
import type { MeasureKind, Price } from '../../billing/price.ts'
import type { PriceBook } from '../../billing/prices.ts'
import { type Ratios, ratiosOf } from '../../billing/prices.ts'

const places = 12

/** Names of audio models, including those without an audio price. */
const isNamedForSound = (model: string): boolean => model.includes('-audio') || model.includes('-realtime')

const soundOf = (model: string, ratios: Ratios, book: PriceBook): Partial<PricingItem> => {
  const isNamed = isNamedForSound(model)
  if (!isNamed && !book.hasSoundRatio(model)) return {}
  const { audio_ratio, audio_completion_ratio } = ratios
  return isNamed || book.hasSpokenRatio(model) ? { audio_ratio, audio_completion_ratio } : { audio_ratio }
}

/** Which rate a measure has, and how many of its pieces (milliseconds, characters …) one of it is. */
const measureRates: readonly (readonly [PricedMeasure, MeasureKind, number])[] = [
  ['minute', 'duration', 60_000],
  ['million_characters', 'characters', 1_000_000],
  ['page', 'pages', 1],
  ['query', 'queries', 1],
  ['picture', 'picture', 1],
]

/** Twelve digits, so that 0.006 is not 0.006000000000000001. */
const measuresOf = ({ rates, unit, quotaPerUnit }: Price): Pick<PricingItem, 'measures'> => {
  const measures = measureRates.flatMap(([name, kind, pieces]) => {
    const rate = rates[kind]
    if (rate === undefined) return []
    const currency = toNumber(multiply(unit, rate, decimal(pieces))) / toNumber(quotaPerUnit)
    return [[name, Number(currency.toPrecision(12))] as const]
  })
  return measures.length === 0 ? {} : { measures: Object.fromEntries(measures) }
}

type Figures = Pick<
  PricingItem,
  'quota_type' | 'model_ratio' | 'model_price' | 'completion_ratio' | 'cache_ratio' | 'cache_creation_ratio'
>

const perCall = (price: number): Figures => ({
  quota_type: quotaType.call,
  model_ratio: 0,
  model_price: price,
  completion_ratio: 0,
  cache_ratio: 0,
  cache_creation_ratio: 0,
})

const longWriteOf = ({ rates }: Price): Pick<PricingItem, 'cache_creation_1h_ratio'> => {
  const { input, cache_write, cache_write_1h } = rates
  if (input.digits === 0n || compare(cache_write, cache_write_1h) === 0) return {}
  return { cache_creation_1h_ratio: toNumber(divide(cache_write_1h, input, places)) }
}

/** Places are factors beside those of tiers; they are no tiers. */
const isPlace = (name: string): boolean => name.startsWith('place_')

const tiersOf = (price: Price): Pick<PricingItem, 'tiers'> => {
  const { output } = price.rates
  const found = Object.keys(price.tiers ?? {}).flatMap((name) => {
    const own = priceInTier(price, name)
    const factor = (own.tiers && ownMember(own.tiers, name)) ?? 1
    const relative = output.digits === 0n ? factor : toNumber(divide(own.rates.output, output, places)) * factor
    return isPlace(name) || relative === 1 ? [] : [[name, Number(relative.toPrecision(12))] as const]
  })
  return found.length === 0 ? {} : { tiers: Object.fromEntries(found) }
}

const figuresOf = (price: Price, book: PriceBook): Figures & Partial<PricingItem> => {
  const ratios = ratiosOf(price)
  if (price.perCall !== undefined) return perCall(ratios.model_price)
  return {
    quota_type: quotaType.usage,
    model_ratio: ratios.model_ratio,
    model_price: 0,
    completion_ratio: ratios.completion_ratio,
    cache_ratio: ratios.cache_ratio,
    cache_creation_ratio: ratios.cache_creation_ratio,
    ...longWriteOf(price),
    ...tiersOf(price),
    ...soundOf(price.model, ratios, book),
    ...measuresOf(price),
  }
}

/** Models that enabled channels serve, by group. */
export interface ServedModels {
  readonly models: readonly string[]
  modelsOf(group: string): readonly string[]
  /** The model whose price a name has: another one where the name is virtual. The name itself where it is absent. */
  pricedAs?(model: string): string
}

/**
 * One entry per enabled model, sorted by name. Prices are those without a group's ratio; a model
 * without a price shows what it would cost where such models may be called. Only the given groups are named.
 */
export const priceList = (
  served: ServedModels,
  groups: readonly string[],
  parts: { book: PriceBook; ownerOf: (model: string) => string },
): PricingItem[] => {
  const serving = new Map<string, string[]>()
  for (const group of groups.toSorted())
    for (const model of served.modelsOf(group)) serving.set(model, [...(serving.get(model) ?? []), group])
  return served.models.flatMap((model) => {
    const priced = served.pricedAs?.(model) ?? model
    const price = parts.book.of(priced, '', { acceptsUnpriced: true })
    if (price === undefined) return []
    return {
      model_name: model,
      ...figuresOf(price, parts.book),
      owner_by: '',
      owner: parts.ownerOf(priced),
      priced: parts.book.isPriced(priced),
      enable_groups: serving.get(model) ?? [],
    }
  })
}
