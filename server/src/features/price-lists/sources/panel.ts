import { quotaType } from '@tollgate/contract'
import { z } from 'zod'
import { decimal, multiply, print } from '../../../billing/decimal.ts'
import { entriesOf, figure, isMap, type PriceReader, plainPrice } from './source.ts'

const list = z.object({ data: z.array(z.unknown()) })
const model = z.object({
  model_name: z.string().min(1),
  quota_type: z.int(),
  model_ratio: figure,
  completion_ratio: figure,
  cache_ratio: figure,
  cache_creation_ratio: figure,
  create_cache_ratio: figure,
  image_ratio: figure,
  audio_ratio: figure,
  audio_completion_ratio: figure,
  priced: z.boolean().optional().catch(undefined),
  /** A model that is billed by a formula has ratios that say nothing. */
  billing_mode: z.string().optional().catch(undefined),
})

const isRated = (entry: unknown): boolean => isMap(entry) && 'model_name' in entry && 'model_ratio' in entry

const isFormula = ({ billing_mode: mode = '' }: z.output<typeof model>): boolean => mode !== '' && mode !== 'ratio'

/** Ratio 1 is two dollars per million prompt tokens. */
const dollarsAtRatio1 = decimal(2)

/** The price page of another panel (`/api/pricing`): ratios, which become dollars before the ratio of a group. Prices per call are left out. */
export const panelReader: PriceReader = {
  matches: (json) => isMap(json) && Array.isArray(json.data) && json.data.some(isRated),
  read(json) {
    const prices = entriesOf(list.parse(json).data, model).flatMap((item) => {
      if (item.quota_type !== quotaType.usage || item.priced === false) return []
      if (item.model_ratio === undefined || item.completion_ratio === undefined || isFormula(item)) return []
      const input = multiply(decimal(item.model_ratio), dollarsAtRatio1)
      const at = (relative: string | undefined): string | undefined =>
        relative === undefined ? undefined : print(multiply(input, decimal(relative)))
      const spokenAt = (sound: string | undefined, speech: string | undefined): string | undefined =>
        sound === undefined || speech === undefined
          ? undefined
          : print(multiply(input, decimal(sound), decimal(speech)))
      const rates = {
        input: print(input),
        output: at(item.completion_ratio),
        cache_read: at(item.cache_ratio),
        cache_write: at(item.cache_creation_ratio ?? item.create_cache_ratio),
        audio_input: at(item.audio_ratio),
        audio_output: spokenAt(item.audio_ratio, item.audio_completion_ratio),
        image_input: at(item.image_ratio),
      }
      return plainPrice({ provider: '', model: item.model_name, source: '' }, rates) ?? []
    })
    return { prices, complete: false }
  },
}
