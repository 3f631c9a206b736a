import { ownMember } from '@tollgate/contract/own-member'
import { decimal, toNumber } from './decimal.ts'
import { keyedFigures } from './keyed-figures.ts'
import type { Decimal, Price } from './price.ts'
import { cacheWrite1hRatio, cacheWriteRatio, defaultCacheRatio } from './tables/cache-ratios.ts'
import { builtInCompletionRatio } from './tables/completion-ratios.ts'
import { keepToolPrices } from './tool-prices.ts'

type Figures = Readonly<Record<string, number>>

/** A snapshot of the price options. Negative and infinite values count as missing. */
export interface PriceSettings {
  readonly modelRatio: Figures
  /** Currency units per call. */
  readonly modelPrice: Figures
  readonly completionRatio: Figures
  readonly cacheRatio: Figures
  /** Price of audio input relative to text input. */
  readonly audioRatio?: Figures
  /** Price of audio output relative to audio input. */
  readonly audioCompletionRatio?: Figures
  readonly groupRatio: Figures
  /** Currency units per thousand calls of a provider's tool, keyed as the option ToolPrices. */
  readonly toolPrices?: Figures
  /** Factors of token prices, keyed as the option ServiceTierRatios. */
  readonly tierRatios?: Figures
  /** Quota units that make one unit of currency. */
  readonly quotaPerUnit: number
  /** If true, models without a price may be called at the model ratio 37.5. */
  readonly selfUse: boolean
}

export interface PriceBook {
  /** undefined when the model has no price and may not be called. */
  of(model: string, group: string, more: { acceptsUnpriced: boolean }): Price | undefined
  /** Whether the operator set a price or a ratio for the model; 0 counts as set. */
  isPriced(model: string): boolean
  completionRatioOf(model: string): number
  /** Whether a ratio is configured for the model's audio input or output. */
  hasSoundRatio(model: string): boolean
  /** Whether a ratio is configured for the model's audio output. */
  hasSpokenRatio(model: string): boolean
}

/** A price, and whether the operator set it. */
interface CachedPrice {
  readonly price: Price
  readonly priced: boolean
}

/** The figures of a price as logs and the pricing page show them. */
export interface Ratios {
  readonly model_ratio: number
  readonly completion_ratio: number
  readonly group_ratio: number
  /** -1 when billed by tokens. */
  readonly model_price: number
  readonly cache_ratio: number
  readonly cache_creation_ratio: number
  readonly audio_ratio: number
  readonly audio_completion_ratio: number
}

/** Model ratio of models without a price. */
const unpricedRatio = 37.5

const mostCached = 10_000

/** Custom GPTs share the entry of their wildcard. */
const pricedName = (model: string): string => {
  if (model.startsWith('gpt-4-gizmo')) return 'gpt-4-gizmo-*'
  return model.startsWith('gpt-4o-gizmo') ? 'gpt-4o-gizmo-*' : model
}

const figure = (figures: Figures, name: string): number | undefined => {
  // Model names come from callers and may be `constructor`.
  const value = ownMember(figures, name)
  return value !== undefined && value >= 0 && Number.isFinite(value) ? value : undefined
}

/** Looks a ratio up: the option first, which has only exact names, then the built-in rules in order. */
const completionRatio = (figures: Figures, model: string): number => {
  const configured = figure(figures, model)
  if (configured !== undefined && model.includes('/')) return configured
  const builtIn = builtInCompletionRatio(pricedName(model))
  return builtIn.locked ? builtIn.value : (configured ?? builtIn.value)
}

const noFigures: Figures = {}

/** Audio input costs the same as text input unless a ratio is configured. */
const audioRatio = ({ audioRatio: figures = noFigures }: PriceSettings, model: string): number =>
  figure(figures, model) ?? 1

/** Without a configured ratio, audio output costs as much as audio input or text output, whichever costs more. */
const audioCompletionRatio = (settings: PriceSettings, model: string): number => {
  const configured = figure(settings.audioCompletionRatio ?? noFigures, model)
  if (configured !== undefined) return configured
  const inputRatio = audioRatio(settings, model)
  return inputRatio === 0 ? 1 : Math.max(1, completionRatio(settings.completionRatio, model) / inputRatio)
}

/** Prices of all models in all groups; a fixed price takes precedence over a ratio. Create a new book when an option changes. */
export const createPriceBook = (settings: PriceSettings): PriceBook => {
  /** Group → model → price. Two maps, because joining the names into one key costs more than both look-ups. */
  const cache = new Map<string, Map<string, CachedPrice>>()
  let size = 0
  const quotaPerUnit = decimal(settings.quotaPerUnit)
  const toolsOf = keyedFigures(settings.toolPrices ?? {})
  const tiersOf = keyedFigures(settings.tierRatios ?? {})

  const isPriced = (model: string): boolean => {
    const name = pricedName(model)
    return figure(settings.modelPrice, name) !== undefined || figure(settings.modelRatio, name) !== undefined
  }

  const hasSpokenRatio = (model: string): boolean =>
    figure(settings.audioCompletionRatio ?? noFigures, model) !== undefined

  const priceOf = (model: string, group: string): Price => {
    const name = pricedName(model)
    const perCall = figure(settings.modelPrice, name)
    const [tools, tiers] = [toolsOf(model), tiersOf(model)]
    return {
      model,
      group,
      perCall: perCall === undefined ? undefined : decimal(perCall),
      modelRatio: decimal(figure(settings.modelRatio, name) ?? unpricedRatio),
      completionRatio: decimal(completionRatio(settings.completionRatio, model)),
      cacheRatio: decimal(figure(settings.cacheRatio, model) ?? defaultCacheRatio),
      cacheWriteRatio: decimal(cacheWriteRatio),
      cacheWrite1hRatio: decimal(cacheWrite1hRatio),
      audioRatio: decimal(audioRatio(settings, model)),
      audioCompletionRatio: decimal(audioCompletionRatio(settings, model)),
      groupRatio: decimal(figure(settings.groupRatio, group) ?? 1),
      quotaPerUnit,
      ...(tiers === undefined ? {} : { tiers }),
      ...(tools === undefined ? {} : { tools }),
    }
  }

  const cachePrice = (model: string, group: string): CachedPrice => {
    // Names come from callers, so the cache is bounded.
    if (size >= mostCached) {
      cache.clear()
      size = 0
    }
    const price = keepToolPrices(priceOf(model, group), toolsOf)
    const entry = { price, priced: isPriced(model) }
    const ofGroup = cache.get(group) ?? new Map<string, CachedPrice>()
    cache.set(group, ofGroup.set(model, entry))
    size += 1
    return entry
  }

  return {
    isPriced,
    completionRatioOf: (model) => completionRatio(settings.completionRatio, model),
    hasSoundRatio: (model) => figure(settings.audioRatio ?? noFigures, model) !== undefined || hasSpokenRatio(model),
    hasSpokenRatio,
    of: (model, group, { acceptsUnpriced }) => {
      const { price, priced } = cache.get(group)?.get(model) ?? cachePrice(model, group)
      return settings.selfUse || acceptsUnpriced || priced ? price : undefined
    },
  }
}

const shown = (value: Decimal | undefined): number => (value === undefined ? -1 : toNumber(value))

/** The figures of a price as numbers, for log rows and the pricing page. */
export const ratiosOf = (price: Price): Ratios => ({
  model_ratio: toNumber(price.modelRatio),
  completion_ratio: toNumber(price.completionRatio),
  group_ratio: toNumber(price.groupRatio),
  model_price: shown(price.perCall),
  cache_ratio: toNumber(price.cacheRatio),
  cache_creation_ratio: toNumber(price.cacheWriteRatio),
  audio_ratio: toNumber(price.audioRatio),
  audio_completion_ratio: toNumber(price.audioCompletionRatio),
})
