import { quotaType } from '@tollgate/contract'
import { z } from 'zod'
import { decimal, multiply, print } from '../../../billing/decimal.ts'
import { isMap, type PriceReader, plainPrice } from './source.ts'

const ratio = z.number().min(0)
const optional = ratio.optional().catch(undefined)
const list = z.object({
  data: z.array(
    z.object({
      model_name: z.string().min(1),
      quota_type: z.int(),
      model_ratio: ratio,
      completion_ratio: ratio,
      cache_ratio: optional,
      cache_creation_ratio: optional,
      create_cache_ratio: optional,
      audio_ratio: optional,
      priced: z.boolean().optional(),
    }),
  ),
})

/** Ratio 1 is two dollars per million prompt tokens. */
const dollarsAtRatio1 = decimal(2)

/** The price page of another panel (`/api/pricing`): ratios, which become dollars before the ratio of a group. Prices per call are left out. */
export const panelReader: PriceReader = {
  matches: (json) => isMap(json) && Array.isArray(json.data) && isMap(json.data[0]) && 'model_ratio' in json.data[0],
  read(json) {
    const prices = list.parse(json).data.flatMap((item) => {
      if (item.quota_type !== quotaType.usage || item.priced === false) return []
      const input = multiply(decimal(item.model_ratio), dollarsAtRatio1)
      const at = (relative: number | undefined): string | undefined =>
        relative === undefined ? undefined : print(multiply(input, decimal(relative)))
      const rates = {
        input: print(input),
        output: at(item.completion_ratio),
        cache_read: at(item.cache_ratio),
        cache_write: at(item.cache_creation_ratio ?? item.create_cache_ratio),
        audio_input: at(item.audio_ratio),
      }
      return plainPrice({ provider: '', model: item.model_name, source: '' }, rates) ?? []
    })
    return { prices, complete: false }
  },
}
