import { z } from 'zod'
import { entriesOf, figure, isMap, type PriceReader, perMillion, plainPrice } from './source.ts'

const list = z.object({ data: z.array(z.unknown()) })
/** Dollars of one piece, as text; -1 stands for a price that varies. */
const model = z.object({
  id: z.string(),
  pricing: z.object({
    prompt: figure,
    completion: figure,
    request: figure,
    internal_reasoning: figure,
    input_cache_read: figure,
    input_cache_write: figure,
  }),
})

const isPriced = (entry: unknown): boolean => isMap(entry) && typeof entry.id === 'string' && isMap(entry.pricing)

const text = (value: string | undefined): string | undefined => (value === undefined ? undefined : perMillion(value))
/** Zero stands for a part without a price of its own. */
const ownText = (value: string | undefined): string | undefined =>
  value === undefined || Number(value) === 0 ? undefined : perMillion(value)

/** OpenRouter's list of models: dollars per token of what it resells, under its own names. */
export const openrouterReader: PriceReader = {
  address: 'https://openrouter.ai/api/v1/models',
  matches: (json) => isMap(json) && Array.isArray(json.data) && json.data.some(isPriced),
  read(json) {
    const prices = entriesOf(list.parse(json).data, model).flatMap(({ id, pricing }) => {
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
