import { beforeAll, describe, expect, it } from 'vitest'
import { providers } from '../../providers/index.ts'
import { toNumber } from '../decimal.ts'
import type { ListBook } from './list-price.ts'
import { modelsWithoutPrice, unpricedReasons } from './models-without-price.ts'
import { openShippedBook } from './shipped-book.ts'
import { corrections, priceRows } from './tables/index.ts'

let book: ListBook
beforeAll(async () => {
  book = await openShippedBook()
})

const now = Date.UTC(2026, 10, 23, 12)
const rateOf = (model: string, kind: 'input' | 'output' | 'cache_read', at = now): number | undefined => {
  const rate = book.find(model, at)?.rates[kind]
  return rate && toNumber(rate)
}

describe('the shipped price lists', () => {
  it('have a price for every model of the providers’ lists but those that are known to have none', () => {
    const offered = new Set(providers.flatMap(({ models }) => models))
    const without = [...offered].filter((model) => book.find(model, now) === undefined)
    expect(without.sort()).toEqual([...modelsWithoutPrice.keys()].sort())
  })

  it.each([
    ['OpenAI', 'gpt-6.1-sol'],
    ['Anthropic', 'claude-opus-5-5'],
    ['Gemini', 'gemini-4-argon'],
    ['VertexAi', 'gemini-4-argon'],
    ['DeepSeek', 'deepseek-v4-pro'],
    ['Xai', 'grok-4.7'],
    ['Aws', 'claude-opus-5-5'],
    ['Moonshot', 'kimi-k3.1-pro'],
    ['Mistral', 'mistral-large-4'],
    ['Perplexity', 'sonar-pro'],
  ])('have one for every model that is offered of %s, %s first', (name, newest) => {
    const models = providers.find((provider) => provider.name === name)?.models ?? []
    expect(models[0]).toBe(newest)
    expect(new Set(models).size).toBe(models.length)
    expect(models.filter((model) => book.find(model, now) === undefined)).toEqual([])
  })

  it('ask DeepSeek’s price of the hour: twice as much in the mornings of weekdays that are no holidays', () => {
    const [monday, noon, saturday] = [Date.UTC(2026, 10, 23, 2), Date.UTC(2026, 10, 23, 12), Date.UTC(2026, 10, 21, 2)]
    expect([monday, noon, saturday].map((at) => rateOf('deepseek-chat', 'output', at))).toEqual([1.2, 0.6, 0.6])
    expect(book.find('deepseek-chat', monday)?.until).toBe(Date.UTC(2026, 10, 23, 4))
    const holidays = [Date.UTC(2026, 9, 6, 2), Date.UTC(2027, 0, 1, 7), Date.UTC(2026, 9, 8, 2)]
    expect(holidays.map((at) => rateOf('deepseek-chat', 'output', at))).toEqual([0.6, 0.6, 1.2])
  })

  it('ask the catalogue about a name without its effort before the ratios of 2025 about the name as it stands', () => {
    expect(book.find('o3-mini-low', now)?.version).toContain('genai-prices')
    expect(rateOf('o3-mini-low', 'cache_read')).toBe(0.55)
  })

  it('know prices that are announced', () => {
    const [before, after] = [Date.UTC(2026, 11, 31, 23), Date.UTC(2027, 0, 1)]
    expect([before, after].map((at) => rateOf('gemini-3.8-flash-tts', 'output', at))).toEqual([9, 18])
    expect([before, after].map((at) => rateOf('gemini-flash-latest', 'input', at))).toEqual([0.75, 1.5])
    expect(book.find('gemini-flash-latest', before)?.until).toBe(after)
  })

  it('take a snapshot that no list names for the model without its date', () => {
    const snapshots = ['gpt-6.1-sol-2026-09-29', 'gpt-6.1-sol-20260929', 'ft:gpt-4.1-2025-04-14:us::abc']
    expect(snapshots.map((model) => rateOf(model, 'output'))).toEqual([10, 10, 12])
    expect(rateOf('gpt-4o-2024-05-13', 'output')).toBe(15)
  })

  it('ask for a song what it costs apiece', () => {
    expect(toNumber(book.find('lyria-3.5', now)?.rates.request ?? { digits: 0n, scale: 0 })).toBe(80_000)
  })

  it('know what is sold by measure', () => {
    expect(toNumber(book.find('tts-1', now)?.rates.characters ?? { digits: 0n, scale: 0 })).toBe(15)
    expect(toNumber(book.find('rerank-v3.5', now)?.rates.queries ?? { digits: 0n, scale: 0 })).toBe(2000)
    expect(rateOf('qwen-plus', 'input')).toBe(0.4)
    expect(rateOf('Doubao-pro-32k', 'output')).toBe(0.2777777778)
  })
})

it('names each model without a price once, sorted within a reason', () => {
  const names = unpricedReasons.map(({ models }) => models)
  for (const models of names) expect(models).toEqual(models.toSorted())
  expect(names.flat().length).toBe(modelsWithoutPrice.size)
})

describe('rows of our own tables', () => {
  const rows = [...corrections, ...priceRows]

  it('name a model of a provider once', () => {
    const names = rows.flatMap(({ provider, models }) => models.map((model) => `${provider} ${model}`))
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
  })

  it('that sell pictures by size have a price for other sizes', () => {
    expect(rows.filter(({ pictures, rates }) => pictures !== undefined && rates.picture === undefined)).toEqual([])
  })
})
