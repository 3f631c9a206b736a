import { ownMember } from '@tollgate/contract/own-member'
import type { PriceSource } from '../book/list-book.ts'
import type { ListPrice } from '../book/list-price.ts'
import { decimal, multiply } from '../decimal.ts'
import { audioCompletionRatios, audioRatios } from './audio-ratios.ts'
import { cacheRatios2025 } from './cache-ratios.ts'
import { completionRatios2025 } from './completion-map.ts'
import { completionRatioByName } from './completion-ratios.ts'
import { modelRatios2025 } from './model-ratios.ts'
import { usualRatios } from './usual-ratios.ts'

/** Ratio 1 is 0.002 dollars per thousand prompt tokens. */
const dollarsAtRatio1 = decimal(2)

const priceOf = (model: string, ratio: number): ListPrice => {
  const input = multiply(decimal(ratio), dollarsAtRatio1)
  const at = (relative: number) => multiply(input, decimal(relative))
  const audio = ownMember(audioRatios, model)
  const speech = ownMember(audioCompletionRatios, model)
  return {
    model,
    provider: '',
    version: 'built in, 2025-04',
    source: '',
    rates: {
      input,
      output: at(ownMember(completionRatios2025, model) ?? completionRatioByName(model)),
      cache_read: at(ownMember(cacheRatios2025, model) ?? usualRatios.cacheRead),
      cache_write: at(usualRatios.cacheWrite),
      cache_write_1h: at(usualRatios.cacheWrite1h),
      ...(audio === undefined ? {} : { audio_input: at(audio) }),
      ...(speech === undefined ? {} : { audio_output: multiply(at(audio ?? 1), decimal(speech)) }),
    },
    until: Number.POSITIVE_INFINITY,
  }
}

/** The ratios that were built in until April 2025, in dollars: the last to be asked, for models that no other list knows any more. */
export const ratios2025Source = (): PriceSource => {
  const prices = new Map(
    Object.entries(modelRatios2025).map(([model, ratio]) => [model.toLowerCase(), priceOf(model, ratio)]),
  )
  return {
    lookUp({ id, provider }) {
      const price = provider === undefined ? prices.get(id) : undefined
      return price && { at: () => price }
    },
  }
}
