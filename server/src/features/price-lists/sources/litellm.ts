import type { StoredPrice } from '@tollgate/contract'
import { z } from 'zod'
import { providerNamed } from '../../../billing/book/model-names.ts'
import type { Kind } from '../../../billing/price.ts'

import { fieldMeaning } from './litellm-fields.ts'
import { entriesOf, figure, isMap, type PriceReader, perMillion, plainPrice } from './source.ts'

const entry = z.looseObject({ litellm_provider: z.string(), source: z.string().optional().catch(undefined) })
type Entry = z.output<typeof entry>
const lists = z.record(z.string(), z.unknown())

/** Names of a tier in answers, by its column: OpenAI's faster tier has two. */
const answered = (tier: string, provider: string): readonly string[] => {
  if (tier === 'batches') return ['batch', 'batches']
  return tier === 'priority' && (provider === 'openai' || provider === 'azure') ? ['priority', 'fast'] : [tier]
}

type Rates = { [K in Kind]?: string }

/** Prices of the usual tier, whose name is empty, and of others: by the length of the prompt. */
const columnsOf = (fields: Entry): ReadonlyMap<string, ReadonlyMap<number, Rates>> => {
  const columns = new Map<string, Map<number, Rates>>()
  for (const [field, value] of Object.entries(fields)) {
    const meaning = fieldMeaning(field)
    if (meaning?.as !== 'tokens') continue
    const dollars = figure.parse(value)
    if (dollars === undefined) continue
    const { kind, above = 0, tier = '' } = meaning
    const lengths = columns.get(tier) ?? new Map<number, Rates>()
    columns.set(tier, lengths.set(above, { [kind]: perMillion(dollars), ...lengths.get(above) }))
  }
  return columns
}

const contextsOf = (lengths: ReadonlyMap<number, Rates>): { above: number; rates: Rates }[] =>
  [...lengths].flatMap(([above, rates]) => (above === 0 ? [] : [{ above, rates }]))

const range = z.looseObject({ range: z.tuple([z.number(), z.number()]) })

/** The same prices as a list of ranges: `[{ "input_cost_per_token": …, "range": [0, 256000] }, …]`. */
const withRanges = (fields: Entry): ReadonlyMap<number, Rates> => {
  const lengths = new Map<number, Rates>()
  const { tiered_pricing: ranges } = fields
  for (const each of entriesOf(Array.isArray(ranges) ? ranges : [], range)) {
    const [start] = each.range
    const rates = columnsOf({ ...each, litellm_provider: '' })
      .get('')
      ?.get(0)
    if (rates !== undefined && Number.isSafeInteger(start) && start >= 0) lengths.set(start, rates)
  }
  return lengths
}

const priceOf = (name: string, fields: Entry): StoredPrice | undefined => {
  const provider = providerNamed(fields.litellm_provider.replace(/-language-models$|_converse$|_text$/, ''))
  const columns = columnsOf(fields)
  const usual = new Map([...withRanges(fields), ...(columns.get('') ?? [])])
  // Without a price of tokens it is sold by pictures, seconds or pages, which LiteLLM states in many ways.
  const rates = usual.get(0)
  if (provider === undefined || rates?.input === undefined) return undefined
  const slash = name.indexOf('/')
  const prefix = slash > 0 ? providerNamed(name.slice(0, slash)) : undefined
  const model = prefix === provider ? name.slice(slash + 1) : name
  const inTiers = [...columns].flatMap(([tier, lengths]) =>
    tier === ''
      ? []
      : answered(tier, provider).map(
          (answer) => [answer, { rates: lengths.get(0) ?? {}, contexts: contextsOf(lengths) }] as const,
        ),
  )
  const named = { provider, model, source: fields.source ?? litellmAddress }
  return plainPrice(named, rates, contextsOf(usual), new Map(inTiers))
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
