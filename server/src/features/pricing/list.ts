import { type PricingItem, quotaType } from '@tollgate/contract'
import type { Price } from '../../billing/price.ts'
import type { PriceBook } from '../../billing/prices.ts'
import { ratiosOf } from '../../billing/prices.ts'

/** Models that hear or speak carry it in their name, as everywhere in the price tables (relay reference §8.6). */
const hasAudio = (model: string): boolean => model.includes('-audio') || model.includes('-realtime')

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

const figuresOf = (price: Price): Figures & Partial<PricingItem> => {
  const ratios = ratiosOf(price)
  if (price.perCall !== undefined) return perCall(ratios.model_price)
  return {
    quota_type: quotaType.usage,
    model_ratio: ratios.model_ratio,
    model_price: 0,
    completion_ratio: ratios.completion_ratio,
    cache_ratio: ratios.cache_ratio,
    cache_creation_ratio: ratios.cache_creation_ratio,
    ...(hasAudio(price.model)
      ? { audio_ratio: ratios.audio_ratio, audio_completion_ratio: ratios.audio_completion_ratio }
      : {}),
  }
}

/** What enabled channels serve, by group. */
export interface ServedModels {
  readonly models: readonly string[]
  modelsOf(group: string): readonly string[]
}

/**
 * One entry per enabled model, sorted by name (server reference §5.13). Prices are those without a group's ratio; a model
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
    const price = parts.book.of(model, '', { acceptsUnpriced: true })
    if (price === undefined) return []
    return {
      model_name: model,
      ...figuresOf(price),
      owner_by: '',
      owner: parts.ownerOf(model),
      priced: parts.book.isPriced(model),
      enable_groups: serving.get(model) ?? [],
    }
  })
}
