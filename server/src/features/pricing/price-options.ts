import { type OptionValue, options, type PriceKey, type Reading } from '@tollgate/contract'
import type { PriceSettings } from '../../billing/prices.ts'
import { AppError } from '../../lib/app-error.ts'

/** The options that make the prices, as they stand at one moment. */
export type PriceOptions = { readonly [K in PriceKey | 'SelfUseModeEnabled']: OptionValue<K> }

export const priceSettings = (values: PriceOptions): PriceSettings => ({
  modelRatio: values.ModelRatio,
  modelPrice: values.ModelPrice,
  completionRatio: values.CompletionRatio,
  cacheRatio: values.CacheRatio,
  audioRatio: values.AudioRatio,
  audioCompletionRatio: values.AudioCompletionRatio,
  groupRatio: values.GroupRatio,
  toolPrices: values.ToolPrices,
  tierRatios: values.ServiceTierRatios,
  quotaPerUnit: values.QuotaPerUnit,
  selfUse: values.SelfUseModeEnabled,
})

export interface PriceChange {
  readonly key: PriceKey
  readonly value: string
}

const readValue = ({ key, value }: PriceChange): unknown => {
  const reading: Reading<unknown> = options[key].read(value)
  if (reading.ok) return reading.value
  throw new AppError('option_invalid', { params: { key, reason: reading.reason.zh, reason_en: reading.reason.en } })
}

/** The options as they would be after saving. Throws `option_invalid` like saving does. */
export const withChanges = (values: PriceOptions, changes: readonly PriceChange[]): PriceOptions => ({
  ...values,
  ...Object.fromEntries(changes.map((change) => [change.key, readValue(change)])),
})
