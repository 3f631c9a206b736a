import { type OptionValue, options, type PriceKey } from '@tollgate/contract'
import { receiptOf } from '../../../src/billing/cost.ts'
import { createPriceBook } from '../../../src/billing/prices.ts'
import { completionTokens, noUsage, promptTokens, type Usage } from '../../../src/billing/usage.ts'
import type { Row } from '../../../src/db/database.ts'
import { type PriceOptions, priceSettings } from '../../../src/features/pricing/price-options.ts'
import { testLog } from '../db/rows.ts'

/** Small price maps that a test can reckon with. */
export const testOptions = (changes: Partial<PriceOptions> = {}): PriceOptions => ({
  ModelPrice: { 'draw-1': 0.04 },
  ModelRatio: { plain: 1.25, half: 0.5 },
  CacheRatio: { plain: 0.5 },
  AudioRatio: { 'gpt-4o-audio-preview': 16 },
  AudioCompletionRatio: { 'gpt-4o-audio-preview': 2 },
  CompletionRatio: { plain: 4 },
  CacheWriteRatio: {},
  CacheWrite1hRatio: {},
  ReasoningRatio: {},
  ImageRatio: {},
  ImageCompletionRatio: {},
  LongPromptRatio: {},
  LongCompletionRatio: {},
  MeasurePrices: {},
  GroupRatio: { default: 1, vip: 0.5, hidden: 3 },
  QuotaPerUnit: 500_000,
  ToolPrices: { web_search: 10, 'web_search:half': 25 },
  ServiceTierRatios: { flex: 0.5, 'priority:pl*': 1.75 },
  PriceListsEnabled: false,
  ProvisionalModelsEnabled: true,
  SelfUseModeEnabled: false,
  ...changes,
})

/** An option's value as the settings send it. */
export const printed = <K extends PriceKey>(key: K, value: OptionValue<K>): { key: K; value: string } => ({
  key,
  value: (options[key] as unknown as { print(value: OptionValue<K>): string }).print(value),
})

let requests = 0

/** The log of a call that was charged at these options, as the ledger writes it. */
export const chargedRow = (
  call: { model: string; group?: string; usage?: Partial<Usage>; at: number },
  charged: PriceOptions,
): Row & { quota: number } => {
  requests += 1
  const { model, group = 'default', at } = call
  const usage = { ...noUsage, ...call.usage }
  const price = createPriceBook(priceSettings(charged)).of(model, group, { acceptsUnpriced: true })
  if (price === undefined) throw new Error(`${model} has no price`)
  const receipt = receiptOf(usage, price, { estimated: false })
  const other = {
    cache_tokens: usage.cacheRead,
    cache_creation_tokens: usage.cacheWrite + usage.cacheWrite1h,
    audio_input: usage.audioInput,
    audio_output: usage.audioOutput,
    receipt,
  }
  return {
    ...testLog(`pricing-${requests}`),
    created_at: at,
    model_name: model,
    group,
    prompt_tokens: promptTokens(usage),
    completion_tokens: completionTokens(usage),
    quota: receipt.quota,
    other: JSON.stringify(other),
  }
}
