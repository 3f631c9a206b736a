// Without the schema library: the console asks by these names before it has it.

/** The price options that hold a figure by model. */
export const modelPriceKeys = [
  'ModelPrice',
  'ModelRatio',
  'CacheRatio',
  'CompletionRatio',
  'AudioRatio',
  'AudioCompletionRatio',
  'CacheWriteRatio',
  'CacheWrite1hRatio',
  'ReasoningRatio',
  'ImageRatio',
  'ImageCompletionRatio',
  'LongPromptRatio',
  'LongCompletionRatio',
] as const
export type ModelPriceKey = (typeof modelPriceKeys)[number]

/** The options that set the price of a call. */
export const priceKeys = [
  'PriceListsEnabled',
  'ProvisionalModelsEnabled',
  ...modelPriceKeys,
  'MeasurePrices',
  'GroupRatio',
  'QuotaPerUnit',
  'ToolPrices',
  'ServiceTierRatios',
] as const
export type PriceKey = (typeof priceKeys)[number]
