import { expect, it } from 'vitest'
import { joinSources } from '../../billing/book/list-book.ts'
import { storedSource } from '../../billing/book/price-table.ts'
import { modelsWithSimilarNames } from './similar-models.ts'

const prices = (provider: string, models: Readonly<Record<string, string>>) =>
  Object.entries(models).map(([model, input]) => ({
    provider,
    model,
    source: '',
    prices: [{ rates: { input, output: '8', cache_read: '0.2' } }],
  }))

const source = joinSources([
  storedSource(prices('openai', { 'gpt-x-mini': '2', 'gpt-x': '4' }), 'corrections'),
  storedSource([...prices('azure', { 'GPT-X-mini': '3' }), ...prices('google', { 'gemini-x-mini': '1' })], 'list'),
])

it('are proposed models of a similar name, each once, at the price that counts', () => {
  const [model] = modelsWithSimilarNames(['gpt-x-mini-2030'], source, 0)
  expect(model?.suggestions.map(({ model: like, version, ratio }) => [like, version, ratio])).toEqual([
    ['gpt-x-mini', 'corrections', 1],
    ['gpt-x', 'corrections', 2],
  ])
  expect(model?.suggestions[0]).toMatchObject({ completion_ratio: 4, cache_ratio: 0.1 })
})

it('are proposed nothing that is not of their family', () => {
  expect(modelsWithSimilarNames(['house-x-mini'], source, 0)).toEqual([{ model: 'house-x-mini', suggestions: [] }])
})
