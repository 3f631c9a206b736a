import type { StoredPrice } from '@tollgate/contract'
import { z } from 'zod'
import { providerNamed } from '../../../billing/book/model-names.ts'
import { decimal, print } from '../../../billing/decimal.ts'
import type { Kind } from '../../../billing/price.ts'
import { isMap, type PriceReader, plainPrice } from './source.ts'

const dollars = z.number().min(0).optional().catch(undefined)
const figures = z.object({
  input: dollars,
  output: dollars,
  reasoning: dollars,
  cache_read: dollars,
  cache_write: dollars,
  input_audio: dollars,
  output_audio: dollars,
})
const cost = figures.extend({ context_over_200k: figures.optional().catch(undefined) })
const providers = z.record(
  z.string(),
  z.object({ models: z.record(z.string(), z.object({ cost: cost.optional().catch(undefined) })) }),
)

const text = (value: number | undefined): string | undefined =>
  value === undefined ? undefined : print(decimal(value))
const ratesOf = (of: z.output<typeof figures>): { [K in Kind]?: string | undefined } => ({
  input: text(of.input),
  output: text(of.output),
  reasoning: of.reasoning === of.output ? undefined : text(of.reasoning),
  cache_read: text(of.cache_read),
  cache_write: text(of.cache_write),
  audio_input: text(of.input_audio),
  audio_output: text(of.output_audio),
})

const source = 'https://models.dev'
const longContext = 200_000

/** models.dev: dollars per million tokens by provider and model. */
export const modelsDevReader: PriceReader = {
  address: 'https://models.dev/api.json',
  matches: (json) => isMap(json) && Object.values(json).some((value) => isMap(value) && isMap(value.models)),
  read(json) {
    const prices = Object.entries(providers.parse(json)).flatMap(([id, { models }]): StoredPrice[] => {
      const provider = providerNamed(id)
      if (provider === undefined) return []
      return Object.entries(models).flatMap(([model, { cost: of }]) => {
        if (of === undefined) return []
        const long = of.context_over_200k
        const contexts = long === undefined ? [] : [{ above: longContext, rates: ratesOf(long) }]
        return plainPrice({ provider, model, source }, ratesOf(of), contexts) ?? []
      })
    })
    return { prices, complete: false }
  },
}
