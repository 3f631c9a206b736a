import { type OptionReading, type OptionValue, options, type PriceKey } from '@tollgate/contract'
import type { ListBook } from '../../billing/book/list-price.ts'
import type { Declarations } from '../../billing/declared/declarations.ts'
import type { PriceSettings } from '../../billing/price-settings.ts'
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
