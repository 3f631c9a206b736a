import type { StoredPrice } from '@tollgate/contract'
import { ownMember } from '@tollgate/contract/own-member'
import { decimal, multiply, print } from '../decimal.ts'
import { audioCompletionRatios, audioRatios } from './audio-ratios.ts'
import { completionRatioByName, completionRatios2025 } from './completion-ratios.ts'
import ratios from './ratios-2025.json' with { type: 'json' }
import { usualRatios } from './usual-ratios.ts'

/** Model name → ratio; ratio 1 is one quota unit per prompt token. */
export const modelRatios2025: Readonly<Record<string, number>> = ratios.model

/** Model name → ratio of a prompt token read from the cache to a plain one; 1 when missing. */
export const cacheRatios2025: Readonly<Record<string, number>> = ratios.cache

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
