import { describe, expect, it } from 'vitest'
import { bookWith, priceOf } from '../../../test/support/billing/price.ts'
import { cost, receiptOf, recompute } from '../cost.ts'
import { noUsage } from '../usage.ts'

describe('prices by measure', () => {
  it.each([
    ['minute', { duration: 90_000 }, 0.006, 4500],
    ['million_characters', { characters: 2000 }, 15, 15_000],
    ['page', { pages: 3 }, 0.002, 3000],
    ['query', { queries: 2 }, 0.001, 1000],
  ])('a %s is paid for by itself', (measure, measures, dollars, quota) => {
    const price = priceOf('mine', { measurePrices: { [`${measure}:mine`]: dollars } })
    const usage = { ...noUsage, input: 1000, measures }
    expect(cost(usage, price)).toBe(quota)
    expect(recompute(receiptOf(usage, price, { estimated: false }))).toBe(quota)
  })

  it('a picture is paid for apiece, and a request beside its tokens', () => {
    const picture = priceOf('mine', { measurePrices: { 'picture:m*': 0.04 } })
    expect(cost({ ...noUsage, images: { count: 2, ratio: 1 } }, picture)).toBe(40_000)
    const request = priceOf('mine', { modelRatio: { mine: 1 }, measurePrices: { 'request:mine': 0.01 } })
    expect(cost({ ...noUsage, input: 100 }, request)).toBe(100 + 5000)
  })

  it('make a model callable that has no other price', () => {
    expect(bookWith({ measurePrices: { 'page:mine': 1 } }).isPriced('mine')).toBe(true)
    expect(bookWith({ measurePrices: { 'page:mine': 1 } }).isPriced('other')).toBe(false)
  })
})

describe('long prompts', () => {
  const price = priceOf('mine', {
    modelRatio: { mine: 1 },
    completionRatio: { mine: 5 },
    longPromptRatio: { '200000:mine': 2, '400000:mine': 3 },
    longCompletionRatio: { '200000:mine': 1.5 },
  })

  it.each([
    [200_000, 200_000 + 50],
    [200_001, 2 * 200_001 + 75],
    [400_001, 3 * 400_001 + 50],
  ])('of %d tokens cost %d with ten tokens of answer', (input, quota) => {
    const receipt = receiptOf({ ...noUsage, input, output: 10 }, price, { estimated: false })
    expect(receipt.quota).toBe(quota)
    expect(recompute(receipt)).toBe(quota)
  })

  it('cost the same everywhere where the operator names no length', () => {
    const flat = priceOf('gpt-4o')
    expect(flat.contexts).toBeUndefined()
  })
})
