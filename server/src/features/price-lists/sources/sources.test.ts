import type { DatedPrice } from '@tollgate/contract'
import { describe, expect, it } from 'vitest'
import { shippedLists, sourceOf } from '../../../billing/book/shipped-lists.ts'
import { sourceDifferences } from '../differences.ts'
import { readerOf } from './index.ts'
import { exportOf } from './own-export.ts'

/** What a file says by provider and model. */
const read = (json: unknown): Record<string, DatedPrice[]> => {
  const reader = readerOf(json)
  if (reader === undefined) throw new Error('unknown shape')
  return Object.fromEntries(
    reader.read(json).prices.map(({ provider, model, prices }) => [`${provider} ${model}`, prices]),
  )
}

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
