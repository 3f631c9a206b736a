import type { StoredPrice } from '@tollgate/contract'
import { ownMember } from '@tollgate/contract/own-member'
import { z } from 'zod'
import { providerNamed } from '../../../billing/book/model-names.ts'
import type { Kind } from '../../../billing/price.ts'
import { figure, isMap, type PriceReader, perMillion, plainPrice } from './source.ts'

/** What LiteLLM calls the price of one token of a kind. */
const fieldOf: readonly (readonly [Kind, string])[] = [
  ['input', 'input_cost_per_token'],
  ['output', 'output_cost_per_token'],
  ['cache_read', 'cache_read_input_token_cost'],
  ['cache_write', 'cache_creation_input_token_cost'],
  ['cache_write_1h', 'cache_creation_input_token_cost_above_1hr'],
  ['explicit_cache_read', 'explicit_cache_read_input_token_cost'],
  ['audio_input', 'input_cost_per_audio_token'],
  ['audio_output', 'output_cost_per_audio_token'],
  ['reasoning', 'output_cost_per_reasoning_token'],
  ['image_input', 'input_cost_per_image_token'],
  ['image_output', 'output_cost_per_image_token'],
]

const entry = z.looseObject({ litellm_provider: z.string(), source: z.string().optional().catch(undefined) })
type Entry = z.output<typeof entry>
const lists = z.record(z.string(), z.unknown())

const ratesOf = (fields: Entry, suffix: string): { [K in Kind]?: string } =>
  Object.fromEntries(
    fieldOf.flatMap(([kind, field]) => {
      const dollars = figure.parse(ownMember(fields, `${field}${suffix}`))
      return dollars === undefined ? [] : [[kind, perMillion(dollars)]]
    }),
  )

const longContext = /^input_cost_per_token(_above_(\d{1,6})k_tokens)$/

const priceOf = (name: string, fields: Entry): StoredPrice | undefined => {
  const provider = providerNamed(fields.litellm_provider.replace(/-language-models$|_converse$|_text$/, ''))
  // Without a price of tokens it is sold by pictures, seconds or pages, which LiteLLM states in many ways.
  const rates = ratesOf(fields, '')
  if (provider === undefined || rates.input === undefined) return undefined
  const slash = name.indexOf('/')
  const prefix = slash > 0 ? providerNamed(name.slice(0, slash)) : undefined
  const model = prefix === provider ? name.slice(slash + 1) : name
  const contexts = Object.keys(fields).flatMap((field) => {
    const [, suffix, thousands] = longContext.exec(field) ?? []
    return suffix === undefined ? [] : [{ above: Number(thousands) * 1000, rates: ratesOf(fields, suffix) }]
  })
  return plainPrice({ provider, model, source: fields.source ?? litellmAddress }, rates, contexts)
}

const litellmAddress = 'https://raw.githubusercontent.com/BerriAI/litellm/main/model_prices_and_context_window.json'

/** LiteLLM's `model_prices_and_context_window.json`: dollars per token by name and provider. */
export const litellmReader: PriceReader = {
  address: litellmAddress,
  matches: (json) => isMap(json) && Object.values(json).some((value) => isMap(value) && 'litellm_provider' in value),
  read(json) {
    const prices = Object.entries(lists.parse(json)).flatMap(([name, value]) => {
      const { data } = entry.safeParse(value)
      return (data && name !== 'sample_spec' && priceOf(name, data)) || []
    })
    return { prices, complete: false }
  },
}
