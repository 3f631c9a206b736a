import {
  defaultAudioCompletionRatios,
  defaultAudioRatios,
  defaultCacheRatios,
  defaultCompletionRatios,
  defaultGroupRatios,
  defaultModelPrices,
  defaultModelRatios,
} from '@tollgate/contract/prices'
import type { Price } from '../../../src/billing/price.ts'
import { createPriceBook, type PriceBook, type PriceSettings } from '../../../src/billing/prices.ts'

/** The default figures, for tests. */
export const defaultSettings: PriceSettings = {
  modelRatio: defaultModelRatios,
  modelPrice: defaultModelPrices,
  completionRatio: defaultCompletionRatios,
  cacheRatio: defaultCacheRatios,
  audioRatio: defaultAudioRatios,
  audioCompletionRatio: defaultAudioCompletionRatios,
  groupRatio: defaultGroupRatios,
  quotaPerUnit: 500_000,
  selfUse: false,
}

export const bookWith = (changes: Partial<PriceSettings> = {}): PriceBook =>
  createPriceBook({ ...defaultSettings, ...changes })

export const priceOf = (model: string, changes: Partial<PriceSettings> = {}): Price => {
  const price = bookWith(changes).of(model, 'default', { acceptsUnpriced: false })
  if (price === undefined) throw new Error(`${model} has no price`)
  return price
}
