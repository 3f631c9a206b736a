import type { KeyChange, ModelFigures, PriceChange, PricePreview } from '@tollgate/contract'
import { ownMember } from '@tollgate/contract/own-member'
import { createPriceBook, type PriceBook, ratiosOf } from '../../billing/prices.ts'
import { type PriceOptions, priceSettings } from './price-options.ts'

const figuresOf = (book: PriceBook, model: string): ModelFigures | undefined => {
  const price = book.isPriced(model) ? book.of(model, '', { acceptsUnpriced: true }) : undefined
  if (price === undefined) return undefined
  const ratios = ratiosOf(price)
  return {
    ...(price.perCall === undefined ? {} : { price: ratios.model_price }),
    ratio: ratios.model_ratio,
    completion_ratio: ratios.completion_ratio,
    cache_ratio: ratios.cache_ratio,
    ...(book.hasSoundRatio(model)
      ? { audio_ratio: ratios.audio_ratio, audio_completion_ratio: ratios.audio_completion_ratio }
      : {}),
  }
}

/** Ratios do not matter to a model that has a fixed price before and after. */
const isSame = (before: ModelFigures | undefined, after: ModelFigures | undefined): boolean => {
  if (before === undefined || after === undefined) return before === after
  if (before.price !== undefined || after.price !== undefined) return before.price === after.price
  return (
    before.ratio === after.ratio &&
    before.completion_ratio === after.completion_ratio &&
    before.cache_ratio === after.cache_ratio &&
    before.audio_ratio === after.audio_ratio &&
    before.audio_completion_ratio === after.audio_completion_ratio
  )
}

const namedIn = (values: PriceOptions): string[] => {
  const { ModelPrice, ModelRatio, CompletionRatio, CacheRatio, AudioRatio, AudioCompletionRatio } = values
  const maps = [ModelPrice, ModelRatio, CompletionRatio, CacheRatio, AudioRatio, AudioCompletionRatio]
  return maps.flatMap((map) => Object.keys(map))
}

const own = (map: Readonly<Record<string, number>>, name: string): number | undefined => ownMember(map, name)

type Figures = Readonly<Record<string, number>>

const keyChanges = (before: Figures, after: Figures): KeyChange[] => {
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...names].sort().flatMap((key) => {
    const [old, now] = [own(before, key), own(after, key)]
    return old === now
      ? []
      : { key, ...(old === undefined ? {} : { before: old }), ...(now === undefined ? {} : { after: now }) }
  })
}

const groupChanges = (before: PriceOptions, after: PriceOptions): PricePreview['groups'] =>
  keyChanges(before.GroupRatio, after.GroupRatio).map(({ key, ...figures }) => ({ group: key, ...figures }))

/** Which models, groups, tools and tiers cost something else after a change; models that are served stand first. */
export const priceChanges = (
  before: PriceOptions,
  after: PriceOptions,
  served: readonly string[],
): Omit<PricePreview, 'traffic'> => {
  const [oldBook, newBook] = [createPriceBook(priceSettings(before)), createPriceBook(priceSettings(after))]
  const enabled = new Set(served)
  const names = [...new Set([...served, ...namedIn(before), ...namedIn(after)])]
  const models = names.flatMap((model): PriceChange[] => {
    const [old, now] = [figuresOf(oldBook, model), figuresOf(newBook, model)]
    if (isSame(old, now)) return []
    const sides = { ...(old ? { before: old } : {}), ...(now ? { after: now } : {}) }
    return [{ model, enabled: enabled.has(model), ...sides }]
  })
  return {
    models: models.sort((a, b) => Number(b.enabled) - Number(a.enabled) || (a.model < b.model ? -1 : 1)),
    groups: groupChanges(before, after),
    tools: keyChanges(before.ToolPrices, after.ToolPrices),
    tiers: keyChanges(before.ServiceTierRatios, after.ServiceTierRatios),
    quota_per_unit: { before: before.QuotaPerUnit, after: after.QuotaPerUnit },
  }
}
