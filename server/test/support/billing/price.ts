import { defaultGroupRatios, defaultModelPrices } from '@tollgate/contract/prices'
import { createListBook } from '../../../src/billing/book/list-book.ts'
import { type PriceRow, tableSource } from '../../../src/billing/book/price-table.ts'
import type { Price } from '../../../src/billing/price.ts'
import type { PriceSettings } from '../../../src/billing/price-settings.ts'
import { createPriceBook, type PriceBook } from '../../../src/billing/prices.ts'
import { audioCompletionRatios, audioRatios } from '../../../src/billing/tables/audio-ratios.ts'
import { completionRatios2025 } from '../../../src/billing/tables/completion-ratios.ts'
import { cacheRatios2025, modelRatios2025 } from '../../../src/billing/tables/ratios-2025.ts'

/** An operator's ratios as they were built in until 2025, without price lists, for tests. */
export const defaultSettings: PriceSettings = {
  modelRatio: modelRatios2025,
  modelPrice: defaultModelPrices,
  completionRatio: completionRatios2025,
  cacheRatio: cacheRatios2025,
  audioRatio: audioRatios,
  audioCompletionRatio: audioCompletionRatios,
  groupRatio: defaultGroupRatios,
  quotaPerUnit: 500_000,
  selfUse: false,
}

const noRatios: PriceSettings = {
  modelRatio: {},
  modelPrice: {},
  completionRatio: {},
  cacheRatio: {},
  groupRatio: {},
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

/** A price in dollars per million pieces, as a list names it; a quota unit is two millionths of a dollar. */
export const listPrice = (rates: PriceRow['rates'], more: Partial<PriceRow> = {}): Price => {
  const row: PriceRow = { models: ['listed'], provider: 'test', source: '', rates, ...more }
  const list = createListBook([tableSource([row], 'test')])
  const price = createPriceBook({ ...noRatios, list }).of('listed', 'default', { acceptsUnpriced: false })
  if (price === undefined) throw new Error('no price')
  return price
}
