import { ownMember } from '@tollgate/contract/own-member'
import { decimal, toNumber } from './decimal.ts'
import { keyedFigures } from './keyed-figures.ts'
import type { Decimal, Price } from './price.ts'
import { cacheWrite1hRatio, cacheWriteRatio, defaultCacheRatio } from './tables/cache-ratios.ts'
import { builtInCompletionRatio } from './tables/completion-ratios.ts'
import { keepToolPrices } from './tool-prices.ts'

type Figures = Readonly<Record<string, number>>

/** The price options, as they stand at one moment. A negative or infinite figure counts as missing. */
export interface PriceSettings {
  readonly modelRatio: Figures
  /** Currency units per call. */
  readonly modelPrice: Figures
  readonly completionRatio: Figures
  readonly cacheRatio: Figures
  /** Sound in, relative to text in. */
  readonly audioRatio?: Figures
  /** Sound out, relative to sound in. */
  readonly audioCompletionRatio?: Figures
  readonly groupRatio: Figures
  /** Currency units per thousand calls of a provider's tool, keyed as the option ToolPrices. */
  readonly toolPrices?: Figures
  /** Factors of token prices, keyed as the option ServiceTierRatios. */
  readonly tierRatios?: Figures
  /** Quota units that make one unit of currency. */
  readonly quotaPerUnit: number
  /** Every model may be called; one without a price is billed at 37.5. */
  readonly selfUse: boolean
}

export interface PriceBook {
  /** undefined when the model has no price and may not be called. */
  of(model: string, group: string, more: { acceptsUnpriced: boolean }): Price | undefined
  /** Whether the operator gave the model a price or a ratio; 0 is one. */
  isPriced(model: string): boolean
  completionRatioOf(model: string): number
  /** Whether the sound of the model has a ratio of its own. */
  hasSoundRatio(model: string): boolean
  /** Whether sound that the model speaks has a ratio of its own. */
  hasSpokenRatio(model: string): boolean
}

/** A price, and whether the operator set it. */
interface Known {
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

/** What a model without a price costs where such models may be called. */
const unpricedRatio = 37.5

const remembered = 10_000

/** Names of custom GPTs share the price of their wildcard. */
const pricedName = (model: string): string => {
  if (model.startsWith('gpt-4-gizmo')) return 'gpt-4-gizmo-*'
  return model.startsWith('gpt-4o-gizmo') ? 'gpt-4o-gizmo-*' : model
}

const figure = (figures: Figures, name: string): number | undefined => {
  // A model may be called `constructor`; only the table's own names count.
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

/** Sound costs what text costs where nothing is known of it. */
const audioRatio = ({ audioRatio: figures = noFigures }: PriceSettings, model: string): number =>
  figure(figures, model) ?? 1

/** Without a figure, spoken sound costs what heard sound or written text costs, whichever is dearer. */
const audioCompletionRatio = (settings: PriceSettings, model: string): number => {
  const configured = figure(settings.audioCompletionRatio ?? noFigures, model)
  if (configured !== undefined) return configured
  const heard = audioRatio(settings, model)
  return heard === 0 ? 1 : Math.max(1, completionRatio(settings.completionRatio, model) / heard)
}

/**
 * Prices of all models in all groups: a fixed price wins over a ratio. Make a new book when an
 * option changes. Unlike the reference, ratios of `gpt-4o-gizmo` models are found too.
 */
export const createPriceBook = (settings: PriceSettings): PriceBook => {
  /** By group and model: names are looked up as they are, since to join them costs each call more than both. */
  const known = new Map<string, Map<string, Known>>()
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

  const learn = (model: string, group: string): Known => {
    // Names come from callers, so the memory is bounded.
    if (size >= remembered) {
      known.clear()
      size = 0
    }
    const price = keepToolPrices(priceOf(model, group), toolsOf)
    const fresh = { price, priced: isPriced(model) }
    const ofGroup = known.get(group) ?? new Map<string, Known>()
    known.set(group, ofGroup.set(model, fresh))
    size += 1
    return fresh
  }

  return {
    isPriced,
    completionRatioOf: (model) => completionRatio(settings.completionRatio, model),
    hasSoundRatio: (model) => figure(settings.audioRatio ?? noFigures, model) !== undefined || hasSpokenRatio(model),
    hasSpokenRatio,
    of: (model, group, { acceptsUnpriced }) => {
      const { price, priced } = known.get(group)?.get(model) ?? learn(model, group)
      return settings.selfUse || acceptsUnpriced || priced ? price : undefined
    },
  }
}

const shown = (value: Decimal | undefined): number => (value === undefined ? -1 : toNumber(value))

/** The figures of a price as a log row states them. */
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
