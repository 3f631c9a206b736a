import { expect, it } from 'vitest'
import { newDiscount, newPrice, readCostRows, writeCostRows } from './cost-rows.ts'

const cost = {
  models: {
    'gpt-4o': { input: 2.5, output: 10, audio_input: 40 },
    'gpt-4.1*': { factor: 0.8 },
    mj_imagine: { call: 0.04 },
  },
  discounts: [{ from: '2026-12-01', to: '2026-12-31', factor: 0.9 }, { factor: 0.5 }],
}
const text = JSON.stringify(cost, null, 2)
const rowsOf = (value: unknown) => readCostRows(JSON.stringify(value))

it('shows prices and discounts as rows and writes them as they were', () => {
  const rows = readCostRows(text)
  expect(rows?.prices.map(({ model, pricing }) => [model, pricing])).toEqual([
    ['gpt-4o', 'tokens'],
    ['gpt-4.1*', 'factor'],
    ['mj_imagine', 'call'],
  ])
  expect(rows && writeCostRows(rows)).toBe(text)
  expect(writeCostRows({ prices: [], discounts: [] })).toBe('')
})

it('leaves to JSON what rows cannot show', () => {
  for (const value of [
    [],
    { other: 1 },
    { models: [] },
    { models: { a: { input: {} } } },
    { discounts: [{ days: 3 }] },
  ])
    expect(rowsOf(value)).toBeUndefined()
  expect(readCostRows('{')).toBeUndefined()
})

it('writes only figures of the chosen way, and keeps text that is no number', () => {
  const row = {
    ...newPrice(),
    model: ' gpt-4o ',
    figures: { input: '2.5', output: ' ', call: '1', cache_read: 'much' },
  }
  expect(JSON.parse(writeCostRows({ prices: [row], discounts: [] }))).toEqual({
    models: { 'gpt-4o': { input: 2.5, cache_read: 'much' } },
  })
  expect(JSON.parse(writeCostRows({ prices: [{ ...row, pricing: 'call' }], discounts: [newDiscount()] }))).toEqual({
    models: { 'gpt-4o': { call: 1 } },
    discounts: [{ factor: '' }],
  })
})
