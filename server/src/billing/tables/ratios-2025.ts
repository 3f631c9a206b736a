import type { StoredPrice } from '@tollgate/contract'
import { ownMember } from '@tollgate/contract/own-member'
import { decimal, multiply, print } from '../decimal.ts'
import { audioCompletionRatios, audioRatios } from './audio-ratios.ts'
import { cacheRatios2025 } from './cache-ratios.ts'
import { completionRatioByName, completionRatios2025 } from './completion-ratios.ts'
import { modelRatios2025 } from './model-ratios.ts'
import { usualRatios } from './usual-ratios.ts'

/** Ratio 1 is 0.002 dollars per thousand prompt tokens. */
const dollarsAtRatio1 = decimal(2)

const priceOf = (model: string, ratio: number): StoredPrice => {
  const input = multiply(decimal(ratio), dollarsAtRatio1)
  const at = (relative: number) => print(multiply(input, decimal(relative)))
  const audio = ownMember(audioRatios, model)
  const speech = ownMember(audioCompletionRatios, model)
  const rates = {
    input: print(input),
    output: at(ownMember(completionRatios2025, model) ?? completionRatioByName(model)),
    cache_read: at(ownMember(cacheRatios2025, model) ?? usualRatios.cacheRead),
    cache_write: at(usualRatios.cacheWrite),
    cache_write_1h: at(usualRatios.cacheWrite1h),
    ...(audio === undefined ? {} : { audio_input: at(audio) }),
    ...(speech === undefined ? {} : { audio_output: print(multiply(input, decimal(audio ?? 1), decimal(speech))) }),
  }
  return { provider: '', model, source: '', prices: [{ rates }] }
}

/** Name of the ratios of 2025 in receipts. */
export const ratios2025Version = 'built in, 2025-04'

/** The ratios that were built in until April 2025, in dollars, for models that no other list knows any more. */
export const ratios2025Prices = (): StoredPrice[] =>
  Object.entries(modelRatios2025).map(([model, ratio]) => priceOf(model, ratio))
