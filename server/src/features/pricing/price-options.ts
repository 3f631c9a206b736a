import { type OptionReading, type OptionValue, options, type PriceKey } from '@tollgate/contract'
import type { ListBook } from '../../billing/book/list-price.ts'
import type { Declarations } from '../../billing/declared/declarations.ts'
import type { PriceSettings } from '../../billing/price-settings.ts'
import { createPriceBook } from '../../billing/prices.ts'
import { modelRatios2025 } from '../../billing/tables/ratios-2025.ts'
import { AppError } from '../../lib/app-error.ts'

/** The options that make the prices, as they stand at one moment, and the price lists behind them. */
export type PriceOptions = { readonly [K in PriceKey | 'SelfUseModeEnabled']: OptionValue<K> } & {
  readonly list?: ListBook
  /** The operator's declarations of usages, tiers and tools that no table knows. */
  readonly declared?: Declarations
}

export const priceSettings = (values: PriceOptions): PriceSettings => ({
  modelRatio: values.ModelRatio,
  modelPrice: values.ModelPrice,
  completionRatio: values.CompletionRatio,
  cacheRatio: values.CacheRatio,
  audioRatio: values.AudioRatio,
  audioCompletionRatio: values.AudioCompletionRatio,
  cacheWriteRatio: values.CacheWriteRatio,
  cacheWrite1hRatio: values.CacheWrite1hRatio,
  reasoningRatio: values.ReasoningRatio,
  imageRatio: values.ImageRatio,
  imageCompletionRatio: values.ImageCompletionRatio,
  measurePrices: values.MeasurePrices,
  longPromptRatio: values.LongPromptRatio,
  longCompletionRatio: values.LongCompletionRatio,
  groupRatio: values.GroupRatio,
  toolPrices: values.ToolPrices,
  tierRatios: values.ServiceTierRatios,
  quotaPerUnit: values.QuotaPerUnit,
  selfUse: values.SelfUseModeEnabled,
  provisionalModels: values.ProvisionalModelsEnabled,
  ...(values.declared === undefined ? {} : { declared: values.declared }),
  ...(values.PriceListsEnabled && values.list !== undefined ? { list: values.list } : {}),
})

export interface PriceOptionChange {
  readonly key: PriceKey
  readonly value: string
}

const readValue = ({ key, value }: PriceOptionChange): unknown => {
  const reading: OptionReading<unknown> = options[key].read(value)
  if (reading.ok) return reading.value
  throw new AppError('option_invalid', { params: { key, reason: reading.reason.zh, reason_en: reading.reason.en } })
}

/** The options as they would be after saving. Throws `option_invalid` like saving does. */
export const withChanges = (values: PriceOptions, changes: readonly PriceOptionChange[]): PriceOptions => ({
  ...values,
  ...Object.fromEntries(changes.map((change) => [change.key, readValue(change)])),
})

interface Sources {
  options(): PriceOptions
  list(): ListBook
  /** Declarations of the operator; the same object until they change. */
  declared(): Declarations
}

/** The present options with the present lists and declarations: the same object until one of them changes. */
export const currentPriceOptions = ({ options, list, declared }: Sources): (() => PriceOptions) => {
  let made: { from: PriceOptions; list: ListBook; declared: Declarations; values: PriceOptions } | undefined
  return () => {
    const [from, lists, kinds] = [options(), list(), declared()]
    if (made?.from !== from || made.list !== lists || made.declared !== kinds)
      made = { from, list: lists, declared: kinds, values: { ...from, list: lists, declared: kinds } }
    return made.values
  }
}

/**
 * The model ratios after a reset: none where price lists count, which price the models; the operator has read before which models lose their
 * price. Without lists the ratios that are built in are the operator's, as after an upgrade, and a model that nothing else prices keeps its
 * ratio, so that every model can be called as before.
 */
export const ratiosAfterReset = (values: PriceOptions): Readonly<Record<string, number>> => {
  if (values.PriceListsEnabled) return {}
  const builtIn: Readonly<Record<string, number>> = modelRatios2025
  const book = createPriceBook(priceSettings({ ...values, ModelRatio: builtIn }))
  const isPriced = (model: string): boolean => book.of(model, 'default', { acceptsUnpriced: false }) !== undefined
  const kept = Object.entries(values.ModelRatio).filter(([model]) => !Object.hasOwn(builtIn, model) && !isPriced(model))
  return { ...builtIn, ...Object.fromEntries(kept) }
}
