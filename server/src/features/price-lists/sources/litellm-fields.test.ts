import { describe, expect, it } from 'vitest'
import {
  hasSecondSource,
  publicTable,
  secondSource,
  withoutSecondSource,
} from '../../../../test/support/billing/second-source.ts'
import { litellmReader } from './litellm.ts'
import { fieldMeaning } from './litellm-fields.ts'

/** Members of the public table in November 2026, so that the walk does not depend on the file. */
const bases = [
  'input_cost_per_token',
  'output_cost_per_token',
  'cache_read_input_token_cost',
  'cache_creation_input_token_cost',
  'input_cost_per_audio_token',
  'output_cost_per_audio_token',
  'cache_read_input_audio_token_cost',
  'output_cost_per_reasoning_token',
  'input_cost_per_image_token',
  'output_cost_per_image_token',
  'input_cost_per_video_token',
  'output_cost_per_video_token',
]
const lengths = ['', '_above_100k_tokens', '_above_128k_tokens', '_above_200k_tokens', '_above_272k_tokens']
const tiers = ['', '_batches', '_flex', '_priority', '_ultrafast']

describe('members of LiteLLM’s table', () => {
  it('are read as a kind, a length of the prompt and a tier in every combination', () => {
    for (const base of bases)
      for (const length of lengths)
        for (const tier of tiers) expect(fieldMeaning(`${base}${length}${tier}`), base).toMatchObject({ as: 'tokens' })
    expect(fieldMeaning('cache_creation_input_token_cost_above_12hr_above_272k_tokens_ultrafast')).toEqual({
      as: 'tokens',
      kind: 'cache_write_1h',
      above: 272_000,
      tier: 'ultrafast',
    })
    expect(fieldMeaning('cache_creation_input_token_cost_above_1hr')).toEqual({ as: 'tokens', kind: 'cache_write_1h' })
  })

  it('are unknown with a suffix that is not declared', () => {
    for (const field of [
      'input_cost_per_token_hyperfast',
      'output_cost_per_token_above_200k_tokens_hyperfast',
      'cache_creation_input_token_cost_above_24hr',
      'cache_read_input_token_cost_above_1hr',
      'input_cost_per_token_above_200k_words',
      'input_cost_per_thought',
      'output_cost_per_image_hyperfast',
      'ocr_cost_per_page_ultrafast',
      'search_context_cost_per_query_deep',
    ])
      expect(fieldMeaning(field), field).toBeUndefined()
  })

  it.skipIf(!hasSecondSource)(`are read or declared with a reason, each one of the file${withoutSecondSource}`, () => {
    const fields = new Set(Object.values(secondSource).flatMap((price) => Object.keys(price)))
    expect(fields.size).toBeGreaterThan(100)
    expect([...fields].filter((field) => fieldMeaning(field) === undefined)).toEqual([])
    for (const field of fields) {
      const meaning = fieldMeaning(field)
      if (meaning?.as === 'left' || meaning?.as === 'not a price') expect(meaning.why, field).toMatch(/\.$/)
    }
  })

  it.skipIf(!hasSecondSource)(`come out of the reader, every price of a token${withoutSecondSource}`, () => {
    const missing: string[] = []
    for (const [name, price] of Object.entries(publicTable())) {
      const [read] = litellmReader.read({ [name]: price }).prices
      if (read === undefined) continue
      const text = JSON.stringify(read.prices)
      for (const [field, value] of Object.entries(price)) {
        const meaning = fieldMeaning(field)
        if (meaning?.as !== 'tokens' || typeof value !== 'number') continue
        if (!text.includes(`"${meaning.kind}":`)) missing.push(`${name} ${field}`)
        if (meaning.tier !== undefined && read.prices[0]?.in_tiers === undefined) missing.push(`${name} ${field}`)
      }
    }
    expect(missing).toEqual([])
  })
})

describe('the reader of LiteLLM’s table', () => {
  it('keeps tiers, lengths of the prompt and the longer lifetime of a cache apart', () => {
    const { prices } = litellmReader.read({
      'gpt-x': {
        litellm_provider: 'openai',
        input_cost_per_token: 1e-5,
        output_cost_per_token: 5e-5,
        cache_creation_input_token_cost: 1.25e-5,
        cache_creation_input_token_cost_above_12hr: 2.5e-5,
        input_cost_per_token_above_272k_tokens: 2e-5,
        input_cost_per_token_ultrafast: 6.1e-5,
        input_cost_per_token_above_272k_tokens_ultrafast: 1.2e-4,
        output_cost_per_token_batches: 2.4e-5,
      },
    })
    expect(prices[0]?.prices[0]).toEqual({
      rates: { input: '10', output: '50', cache_write: '12.5', cache_write_1h: '25' },
      contexts: [{ above: 272_000, rates: { input: '20', output: '50', cache_write: '12.5', cache_write_1h: '25' } }],
      in_tiers: {
        ultrafast: { rates: { input: '61' }, contexts: [{ above: 272_000, rates: { input: '120' } }] },
        batch: { rates: { output: '24' } },
        batches: { rates: { output: '24' } },
      },
    })
  })

  it('reads prices by ranges', () => {
    const { prices } = litellmReader.read({
      'dashscope/qwen-x': {
        litellm_provider: 'openai',
        tiered_pricing: [
          { input_cost_per_token: 5e-8, output_cost_per_token: 4e-7, range: [0, 256_000] },
          { input_cost_per_token: 2.5e-7, output_cost_per_token: 2e-6, range: [256_000, 1_000_000] },
        ],
      },
    })
    expect(prices[0]?.prices[0]).toEqual({
      rates: { input: '0.05', output: '0.4' },
      contexts: [{ above: 256_000, rates: { input: '0.25', output: '2' } }],
    })
  })
})
