import { calcPrice, type Provider, waitForUpdate } from '@pydantic/genai-prices'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { cost } from '../cost.ts'
import { createPriceBook, type PriceBook } from '../prices.ts'
import { noUsage, promptTokens, type Usage } from '../usage.ts'
import { readCatalogue } from './catalogue.ts'
import { catalogueData } from './catalogue-data.ts'
import type { ListBook } from './list-price.ts'

const quotaPerUnit = 500_000
const settings = { modelRatio: {}, modelPrice: {}, completionRatio: {}, cacheRatio: {}, groupRatio: {}, quotaPerUnit }

/** Usage as the catalogue states it: parts are contained in their sums. */
const inCatalogueTerms = (usage: Usage): Record<string, number> => ({
  input_tokens: promptTokens(usage),
  output_tokens: usage.output + usage.audioOutput,
  cache_read_tokens: usage.cacheRead + (usage.more?.audio_cache_read ?? 0),
  cache_write_tokens: usage.cacheWrite + usage.cacheWrite1h,
  cache_write_1h_tokens: usage.cacheWrite1h,
  input_audio_tokens: usage.audioInput + (usage.more?.audio_cache_read ?? 0),
  cache_audio_read_tokens: usage.more?.audio_cache_read ?? 0,
  output_audio_tokens: usage.audioOutput,
  output_reasoning_tokens: usage.reasoning,
  web_searches: usage.tools?.web_search ?? 0,
  storage_searches: usage.tools?.file_search ?? 0,
})

const count = fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 2000 }), fc.integer({ min: 100_000, max: 700_000 }))
const few = fc.nat(20)
const usages: fc.Arbitrary<Usage> = fc
  .record({
    input: count,
    cacheRead: count,
    cacheWrite: count,
    cacheWrite1h: count,
    audioInput: count,
    cachedSound: count,
    output: count,
    audioOutput: count,
    reasoning: fc.nat(1000),
    searches: few,
    fileSearches: few,
  })
  .map(({ cachedSound, searches, fileSearches, reasoning, ...tokens }) => ({
    ...noUsage,
    ...tokens,
    reasoning: Math.min(reasoning, tokens.output),
    more: { audio_cache_read: cachedSound },
    tools: { web_search: searches, file_search: fileSearches },
  }))

/** Long contexts, caches and tools that every run looks at. */
const grid: readonly Usage[] = [
  { ...noUsage, input: 1000, output: 500 },
  { ...noUsage, input: 128_000, output: 1 },
  { ...noUsage, input: 128_001, output: 1 },
  { ...noUsage, input: 200_000, output: 10 },
  { ...noUsage, input: 200_001, output: 10 },
  { ...noUsage, input: 271_999, output: 7 },
  { ...noUsage, input: 272_000, output: 7 },
  { ...noUsage, input: 272_001, output: 7 },
  { ...noUsage, input: 10, cacheRead: 512_001, cacheWrite: 3000, output: 4000, reasoning: 1500 },
  { ...noUsage, input: 10, cacheRead: 90_000, cacheWrite: 3000, cacheWrite1h: 777, output: 4000 },
  { ...noUsage, input: 5, output: 5, tools: { web_search: 3, file_search: 2 } },
]

interface Case {
  readonly provider: Provider
  readonly id: string
}

let providers: Provider[] = []
let books = new Map<string, PriceBook>()
const at = Date.UTC(2026, 10, 23, 12)

/** One book per provider, so that every price of the catalogue is looked at, not only those that bare names lead to. */
const bookOf = (list: ListBook): PriceBook => createPriceBook({ ...settings, selfUse: false, list })

beforeAll(async () => {
  providers = (await waitForUpdate()) ?? []
  books = new Map(
    readCatalogue(catalogueData.parse(providers), 'test').map((provider) => [
      provider.id,
      bookOf({ find: (name, moment) => provider.models.find((model) => model.matches(name))?.at(moment) }),
    ]),
  )
})

/** Names under which a model's own matcher finds it, without the fees by request that ToolPrices bills. */
const textModels = (): Case[] =>
  providers.flatMap((provider) =>
    provider.models.flatMap(({ id }) => {
      const found = provider.models.find((model) => model.id === id)
      const prices = Array.isArray(found?.prices) ? found.prices.map((entry) => entry.prices) : [found?.prices ?? {}]
      const isText = prices.every(
        (price) => 'input_mtok' in price && !('requests_kcount' in price) && !('output_citation_mtok' in price),
      )
      return isText && calcPrice({ input_tokens: 1 }, id, { providerId: provider.id, timestamp: new Date(at) })
        ? [{ provider, id }]
        : []
    }),
  )

/** True if our charge is the catalogue's dollars in quota units after one rounding; floats leave a billionth of doubt at halves. */
const agrees = ({ provider, id }: Case, usage: Usage): boolean => {
  const price = books.get(provider.id)?.of(id, '', { acceptsUnpriced: false, at })
  if (price === undefined) return false
  const theirs = calcPrice(inCatalogueTerms(usage), id, { providerId: provider.id, timestamp: new Date(at) })
  if (theirs === null) return false
  const units = theirs.total_price * quotaPerUnit
  return Math.abs(cost(usage, price) - units) <= 0.5 + Math.max(1, units) * 1e-9
}

describe('charges at the catalogue’s prices', () => {
  it('are what the catalogue itself computes, for every text model over a grid of usages', () => {
    const models = textModels()
    expect(models.length).toBeGreaterThan(1000)
    const wrong = models.flatMap((model) =>
      grid.flatMap((usage, index) => (agrees(model, usage) ? [] : [`${model.provider.id} ${model.id}: row ${index}`])),
    )
    expect(wrong).toEqual([])
  })

  it('are what the catalogue itself computes, for any usage', () => {
    const models = textModels()
    fc.assert(
      fc.property(fc.nat(models.length - 1), usages, (index, usage) => {
        const model = models[index]
        if (model === undefined) throw new Error('no model')
        expect(agrees(model, usage)).toBe(true)
      }),
      { numRuns: 2000 },
    )
  })
})
