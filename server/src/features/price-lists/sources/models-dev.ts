import type { StoredPrice } from '@tollgate/contract'
import { z } from 'zod'
import { providerNamed } from '../../../billing/book/model-names.ts'
import { decimal, print } from '../../../billing/decimal.ts'
import type { Kind } from '../../../billing/price.ts'
import { entriesOf, figure, isMap, type PriceReader, plainPrice } from './source.ts'

const figures = z.object({
  input: figure,
  output: figure,
  reasoning: figure,
  cache_read: figure,
  cache_write: figure,
  input_audio: figure,
  output_audio: figure,
})
const tier = figures.extend({ tier: z.object({ type: z.literal('context').optional(), size: z.int().positive() }) })
const cost = figures.extend({
  /** The older way to state a tier; a plain number says nothing of what it is the price of. */
  context_over_200k: figures.optional().catch(undefined),
  tiers: z.array(z.unknown()).optional().catch(undefined),
})
const providers = z.record(z.string(), z.unknown())
const provider = z.object({ models: z.record(z.string(), z.unknown()) })
const model = z.object({ cost })

const text = (value: string | undefined): string | undefined =>
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

const contextsOf = ({ tiers = [], context_over_200k: long }: z.output<typeof cost>) => {
  const stated = entriesOf(tiers, tier).map(({ tier: { size }, ...of }) => ({ above: size, rates: ratesOf(of) }))
  if (stated.length > 0) return stated
  return long === undefined || long.input === undefined ? [] : [{ above: longContext, rates: ratesOf(long) }]
}

const pricesOf = (id: string, entry: unknown): StoredPrice[] => {
  const [named, { data }] = [providerNamed(id), provider.safeParse(entry)]
  if (named === undefined || data === undefined) return []
  return Object.entries(data.models).flatMap(([name, value]) => {
    const of = model.safeParse(value).data?.cost
    // A price for answers alone is half of one.
    if (of?.input === undefined) return []
    return plainPrice({ provider: named, model: name, source }, ratesOf(of), contextsOf(of)) ?? []
  })
}

/** models.dev: dollars per million tokens by provider and model. */
export const modelsDevReader: PriceReader = {
  address: 'https://models.dev/api.json',
  matches: (json) => isMap(json) && Object.values(json).some((value) => isMap(value) && isMap(value.models)),
  read: (json) => ({
    prices: Object.entries(providers.parse(json)).flatMap(([id, entry]) => pricesOf(id, entry)),
    complete: false,
  }),
}
