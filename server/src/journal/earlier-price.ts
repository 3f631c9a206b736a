import { multiply, one } from '../billing/decimal.ts'
import type { Decimal, Price } from '../billing/price.ts'

/** Members that earlier versions wrote instead of `unit` and `rates`; ratios are relative to plain prompt tokens. */
export interface EarlierPrice {
  readonly modelRatio: Decimal
  readonly completionRatio: Decimal
  readonly cacheRatio: Decimal
  readonly cacheWriteRatio: Decimal
  readonly cacheWrite1hRatio: Decimal
  readonly audioRatio: Decimal
  readonly audioCompletionRatio: Decimal
}

/** The present form of a price that an earlier version wrote to its journal; others as they are. */
export const presentPrice = (price: Price | (EarlierPrice & Omit<Price, 'basis' | 'unit' | 'rates'>)): Price => {
  if (!('modelRatio' in price)) return price
  const { modelRatio, completionRatio, cacheRatio, cacheWriteRatio, cacheWrite1hRatio, ...rest } = price
  const { audioRatio, audioCompletionRatio, ...others } = rest
  return {
    ...others,
    basis: 'ratio',
    unit: modelRatio,
    rates: {
      input: one,
      cache_read: cacheRatio,
      cache_write: cacheWriteRatio,
      cache_write_1h: cacheWrite1hRatio,
      audio_input: audioRatio,
      output: completionRatio,
      audio_output: multiply(audioRatio, audioCompletionRatio),
    },
  }
}
