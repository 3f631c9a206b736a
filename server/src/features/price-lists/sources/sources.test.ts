import { REMOTE_DATA_JSON_URL } from '@pydantic/genai-prices'
import type { DatedPrice } from '@tollgate/contract'
import { describe, expect, it } from 'vitest'
import { sourceOf } from '../../../billing/book/price-list-data.ts'
import { shippedLists } from '../../../billing/book/shipped-lists.ts'
import { sourceDifferences } from '../differences.ts'
import { catalogueReader, readerOf } from './index.ts'
import { exportOf } from './own-export.ts'

/** Prices of a file by provider and model. */
const read = (json: unknown): Record<string, DatedPrice[]> => {
  const reader = readerOf(json)
  if (reader === undefined) throw new Error('unknown shape')
  return Object.fromEntries(
    reader.read(json).prices.map(({ provider, model, prices }) => [`${provider} ${model}`, prices]),
  )
}

it('reads the catalogue from where its package reads it', () => {
  expect(catalogueReader.address).toBe(REMOTE_DATA_JSON_URL)
})

describe('price lists of others, in dollars per million', () => {
  it('are read from LiteLLM, with long contexts and providers as people write them', () => {
    const prices = read({
      sample_spec: { litellm_provider: 'one of …', input_cost_per_token: 0 },
      'gemini/gemini-2.5-pro': {
        litellm_provider: 'gemini',
        source: 'https://ai.google.dev/pricing',
        input_cost_per_token: 1.25e-6,
        output_cost_per_token: 1e-5,
        cache_read_input_token_cost: 1.2500000000000002e-7,
        input_cost_per_token_above_200k_tokens: 2.5e-6,
        output_cost_per_token_above_200k_tokens: 1.5e-5,
      },
      'azure/gpt-4o': { litellm_provider: 'azure', input_cost_per_token: 2.75e-6, output_cost_per_token: 1.1e-5 },
      'dall-e-3': { litellm_provider: 'openai', input_cost_per_pixel: 1e-8 },
      'far/away': { litellm_provider: 'nowhere', input_cost_per_token: 1e-6 },
    })
    const base = { input: '1.25', output: '10', cache_read: '0.125' }
    expect(prices).toEqual({
      'google gemini-2.5-pro': [
        { rates: base, contexts: [{ above: 200_000, rates: { ...base, input: '2.5', output: '15' } }] },
      ],
      'azure gpt-4o': [{ rates: { input: '2.75', output: '11' } }],
    })
  })

  it('are read from models.dev', () => {
    const cost = { input: 1.25, output: 10, cache_read: 0.31, context_over_200k: { input: 2.5, output: 15 } }
    const prices = read({
      google: { id: 'google', models: { 'gemini-2.5-pro': { id: 'gemini-2.5-pro', cost }, free: { id: 'free' } } },
      'another-provider': { models: { x: { cost } } },
    })
    const base = { input: '1.25', output: '10', cache_read: '0.31' }
    expect(prices).toEqual({
      'google gemini-2.5-pro': [
        { rates: base, contexts: [{ above: 200_000, rates: { ...base, input: '2.5', output: '15' } }] },
      ],
    })
  })

  it('are read from OpenRouter, but for models whose price varies', () => {
    const pricing = { prompt: '0.0000025', completion: '0.00001', request: '0', input_cache_read: '0.00000125' }
    const prices = read({
      data: [
        { id: 'openai/gpt-4o', pricing },
        { id: 'openrouter/auto', pricing: { prompt: '-1', completion: '-1' } },
      ],
    })
    expect(prices).toEqual({
      'openrouter openai/gpt-4o': [{ rates: { input: '2.5', output: '10', cache_read: '1.25' } }],
    })
  })

  it('are read from the price page of another panel, whose ratio 1 is two dollars', () => {
    const item = { quota_type: 0, model_ratio: 1.25, completion_ratio: 4, cache_ratio: 0.5, model_price: 0 }
    const prices = read({
      success: true,
      data: [
        { ...item, model_name: 'gpt-4o' },
        { ...item, model_name: 'unset', model_ratio: 37.5, priced: false },
        { ...item, model_name: 'mj', quota_type: 1, model_ratio: 0, model_price: 0.1 },
      ],
    })
    expect(prices).toEqual({ ' gpt-4o': [{ rates: { input: '2.5', output: '10', cache_read: '1.25' } }] })
  })

  it('are read from LiteLLM where figures are null, text, negative or words', () => {
    const one = { litellm_provider: 'openai', mode: 'chat', output_cost_per_token: 1e-5 }
    const prices = read({
      sample_spec: { ...one, input_cost_per_token: 'float', max_tokens: 'LEGACY parameter' },
      text: { ...one, input_cost_per_token: '2e-06', cache_read_input_token_cost: null },
      null: { ...one, input_cost_per_token: null },
      negative: { ...one, input_cost_per_token: -1 },
      word: { ...one, input_cost_per_token: 'free' },
      huge: { ...one, input_cost_per_token: '1e999' },
      tiered: { ...one, tiered_pricing: [{ range: [0, 32_000], input_cost_per_token: 1e-6 }] },
      far: { ...one, input_cost_per_token: 1e-6, source: `https://x/${'y'.repeat(5000)}` },
      list: [],
      nothing: null,
    })
    expect(prices).toEqual({
      'openai text': [{ rates: { input: '2', output: '10' } }],
      'openai far': [{ rates: { input: '1', output: '10' } }],
    })
  })

  it('are read from models.dev with tiers of any length, and what is broken does not hide the rest', () => {
    const cost = { input: 2.5, output: 15, cache_read: 0.25 }
    const long = { input: 5, output: 22.5, cache_read: 0.5 }
    const tiers = [
      { ...long, tier: { type: 'context', size: 272_000 } },
      { input: 9, output: 9 },
    ]
    const prices = read({
      openai: {
        models: {
          'gpt-5.4': { cost: { ...cost, tiers, context_over_200k: long } },
          older: { cost: { ...cost, context_over_200k: 5 } },
          text: { cost: { input: '0.5', output: null } },
          half: { cost: { output: 3 } },
          none: { cost: null },
          empty: null,
        },
      },
      anthropic: { id: 'anthropic', models: null },
      google: 'soon',
    })
    const base = { input: '2.5', output: '15', cache_read: '0.25' }
    const above = { above: 272_000, rates: { input: '5', output: '22.5', cache_read: '0.5' } }
    expect(prices).toEqual({
      'openai gpt-5.4': [{ rates: base, contexts: [above] }],
      'openai older': [{ rates: base }],
      'openai text': [{ rates: { input: '0.5' } }],
    })
  })

  it('are read from OpenRouter’s whole entries, also where a figure is a number, null or -1', () => {
    const entry = {
      canonical_slug: 'x',
      architecture: { modality: 'text->text' },
      per_request_limits: null,
      top_provider: { context_length: null },
    }
    const prices = read({
      data: [
        { ...entry, id: 'openrouter/auto', pricing: { prompt: '-1', completion: '-1', request: '-1', image: '-1' } },
        { ...entry, id: 'openrouter/bodybuilder' },
        { ...entry, id: 'a/number', pricing: { prompt: 1e-7, completion: 4e-7, discount: 0 } },
        { ...entry, id: 'a/null', pricing: { prompt: '0.000001', completion: '0.000002', input_cache_read: null } },
        { ...entry, id: 'a/free:free', pricing: { prompt: '0', completion: '0', image: '0', web_search: '0' } },
        null,
      ],
    })
    expect(prices).toEqual({
      'openrouter a/number': [{ rates: { input: '0.1', output: '0.4' } }],
      'openrouter a/null': [{ rates: { input: '1', output: '2' } }],
      'openrouter a/free:free': [{ rates: { input: '0', output: '0' } }],
    })
  })

  it('are read from panels that have null for ratios, sound, pictures, and models billed by a formula', () => {
    const item = { quota_type: 0, model_ratio: 2, completion_ratio: 4, vendor_id: 1, supported_endpoint_types: null }
    const prices = read({
      success: true,
      data: [
        { ...item, model_name: 'formula', model_ratio: 0, billing_mode: 'tiered_expr', billing_expr: 'p * 5 + c * 30' },
        { ...item, model_name: 'nulls', cache_ratio: null, create_cache_ratio: null, audio_ratio: null },
        { ...item, model_name: 'sound', audio_ratio: 10, audio_completion_ratio: 2, image_ratio: '1.5' },
        { ...item, model_name: 'broken', model_ratio: null },
        { model_name: 'bare' },
      ],
      vendors: [],
    })
    expect(prices).toEqual({
      ' nulls': [{ rates: { input: '4', output: '16' } }],
      ' sound': [{ rates: { input: '4', output: '16', audio_input: '40', audio_output: '80', image_input: '6' } }],
    })
  })

  it('are read from the catalogue, with the days and hours that it announces', () => {
    const prices = read([
      {
        id: 'deepseek',
        models: [
          {
            id: 'deepseek-v9',
            match: { equals: 'deepseek-v9' },
            prices: [
              { prices: { input_mtok: 1, output_mtok: 2 } },
              { constraint: { start_date: '2027-01-01' }, prices: { input_mtok: 2, output_mtok: 4 } },
              {
                constraint: { start_time: '01:00:00Z', end_time: '04:00:00Z' },
                prices: { input_mtok: 3, output_mtok: 6 },
              },
            ],
          },
        ],
      },
    ])
    expect(prices['deepseek deepseek-v9']).toEqual([
      { rates: { input: '1', output: '2' } },
      { from: '2027-01-01', rates: { input: '2', output: '4' } },
      { hours: { start: '01:00:00Z', end: '04:00:00Z' }, rates: { input: '3', output: '6' } },
    ])
  })

  it.each([[[]], [{}], [{ data: [{ id: 'gpt-4o' }] }], ['text'], [null]])('are not read from %j', (json) => {
    expect(readerOf(json)).toBeUndefined()
  })

  it('that this product exports bring back every price that it has', async () => {
    const source = sourceOf(await shippedLists())
    const json: unknown = JSON.parse(exportOf(source))
    const prices = readerOf(json)?.read(json) ?? { prices: [], complete: true }
    expect(prices.prices.length).toBeGreaterThan(1500)
    expect(sourceDifferences(source, prices, { names: [], now: Date.now() }).differences).toEqual([])
  })
})
