import { describe, expect, it } from 'vitest'
import { decimal } from '../../../billing/decimal.ts'
import { readCatalogueFacts } from './catalogue-facts.ts'
import { factsKey } from './facts-by-model.ts'
import { modelFacts } from './model-facts.ts'

const nothing = { priceOf: () => undefined, makerOf: () => 'custom', catalogue: () => new Map() }
const price = (provider: string, model: string, rates: Record<string, string>) => ({
  provider,
  model,
  version: 'list 1',
  source: '',
  until: Number.POSITIVE_INFINITY,
  rates: Object.fromEntries(Object.entries(rates).map(([kind, rate]) => [kind, decimal(rate)])),
})

describe('facts about a model', () => {
  it('are found however its name is written', () => {
    const plain = modelFacts('claude-opus-4-5', nothing)
    expect(plain).toMatchObject({ kind: 'chat', context: 200_000, max_output: 64_000, takes: ['text', 'image', 'pdf'] })
    expect(modelFacts('claude-opus-4-5-thinking', nothing)).toMatchObject({ context: 200_000, max_output: 64_000 })
    expect(modelFacts('openai/gpt-4o', nothing)).toMatchObject({ kind: 'chat', context: 128_000 })
  })

  it('come from the price list where the tables know nothing', () => {
    const listed = price('acme', 'acme-1', { input: '1', output: '2', cache_read: '0.1', audio_input: '4' })
    const catalogue = new Map([[factsKey('acme', 'acme-1'), { description: 'Small.', context: 32_000 }]])
    expect(modelFacts('acme-1', { ...nothing, priceOf: () => listed, catalogue: () => catalogue })).toMatchObject({
      kind: 'chat',
      description: 'Small.',
      context: 32_000,
      takes: ['text', 'audio'],
      can: ['cache'],
    })
  })

  it('name the endpoints that take it', () => {
    expect(modelFacts('text-embedding-3-large', nothing).endpoints).toEqual(['/v1/embeddings'])
    expect(modelFacts('dall-e-3', nothing).endpoints).toEqual(['/v1/images/generations'])
    expect(modelFacts('whisper-1', nothing)).toMatchObject({
      takes: ['audio'],
      endpoints: ['/v1/audio/transcriptions'],
    })
    expect(modelFacts('constructor', nothing)).toMatchObject({ kind: '', endpoints: [] })
  })

  it('do not claim for new generations what older ones can', () => {
    expect(modelFacts('gpt-9', nothing)).toMatchObject({ takes: [], can: [], context: 0 })
  })

  it('hold what the catalogue of prices says about contexts', async () => {
    const facts = await readCatalogueFacts()
    expect(facts.get(factsKey('openai', 'gpt-4o'))).toMatchObject({ context: 128_000 })
  })
})
