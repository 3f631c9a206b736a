import { z } from 'zod'
import { isMap, type PriceReader, perMillion, plainPrice } from './source.ts'

/** Dollars of one piece as text; -1 stands for a price that varies. */
const dollars = z
  .string()
  .regex(/^\d+(\.\d+)?(e-?\d+)?$/i)
  .optional()
  .catch(undefined)
const list = z.object({
  data: z.array(
    z.object({
      id: z.string(),
      pricing: z.object({
        prompt: dollars,
        completion: dollars,
        request: dollars,
        internal_reasoning: dollars,
        input_cache_read: dollars,
        input_cache_write: dollars,
      }),
    }),
  ),
})

const text = (value: string | undefined): string | undefined => (value === undefined ? undefined : perMillion(value))
/** Zero stands for a part without a price of its own. */
const ownText = (value: string | undefined): string | undefined =>
  value === undefined || Number(value) === 0 ? undefined : perMillion(value)

/** OpenRouter's list of models: dollars per token of what it resells, under its own names. */
export const openrouterReader: PriceReader = {
  address: 'https://openrouter.ai/api/v1/models',
  matches: (json) => isMap(json) && Array.isArray(json.data) && isMap(json.data[0]) && isMap(json.data[0].pricing),
  read(json) {
    const prices = list.parse(json).data.flatMap(({ id, pricing }) => {
      if (pricing.prompt === undefined || pricing.completion === undefined) return []
      const named = { provider: 'openrouter', model: id, source: `https://openrouter.ai/${id}` }
      const rates = {
        input: text(pricing.prompt),
        output: text(pricing.completion),
        cache_read: ownText(pricing.input_cache_read),
        cache_write: ownText(pricing.input_cache_write),
        reasoning: pricing.internal_reasoning === pricing.completion ? undefined : ownText(pricing.internal_reasoning),
        request: ownText(pricing.request),
      }
      return plainPrice(named, rates) ?? []
    })
    return { prices, complete: false }
  },
}
