import { describe, expect, it } from 'vitest'
import { bookWith, priceOf } from '../../test/support/billing/price.ts'
import { print } from './decimal.ts'
import type { PriceSettings } from './price-settings.ts'
import { ratiosOf } from './prices.ts'

const no = { acceptsUnpriced: false }

const completionOf = (model: string, changes: Partial<PriceSettings> = {}): number =>
  ratiosOf(priceOf(model, { selfUse: true, ...changes })).completion_ratio

describe('whether a model may be called', () => {
  it('is refused without price or ratio', () => {
    expect(bookWith().of('my-model', 'default', no)).toBeUndefined()
  })

  it('has the ratio 37.5 in self-use mode and for users who accept unpriced models', () => {
    expect(print(priceOf('my-model', { selfUse: true }).unit)).toBe('37.5')
    const accepted = bookWith().of('my-model', 'default', { acceptsUnpriced: true })
    expect(accepted && print(accepted.unit)).toBe('37.5')
  })

  it('is refused for other users after one accepted it', () => {
    const book = bookWith()
    book.of('my-model', 'default', { acceptsUnpriced: true })
    expect(book.of('my-model', 'default', no)).toBeUndefined()
  })

  it('ignores names of built-in object members', () => {
    expect(['constructor', '__proto__', 'toString'].map((name) => bookWith().isPriced(name))).toEqual([
      false,
      false,
      false,
    ])
  })

  it('accepts a ratio of 0 and ignores a negative one', () => {
    const book = bookWith({ modelRatio: { free: 0, wrong: -1 } })
    expect([book.isPriced('free'), book.isPriced('wrong')]).toEqual([true, false])
  })
})

describe('the price of a model', () => {
  it('is the fixed price if there is also a ratio', () => {
    const price = priceOf('m', { modelPrice: { m: 0.02 }, modelRatio: { m: 3 } })
    expect(price.perCall && print(price.perCall)).toBe('0.02')
  })

  it('is that of the wildcard for custom GPTs, by price and by ratio', () => {
    expect(ratiosOf(priceOf('gpt-4-gizmo-g-abc')).model_price).toBe(0.1)
    expect(ratiosOf(priceOf('gpt-4o-gizmo-g-abc'))).toMatchObject({ model_price: -1, model_ratio: 2.5 })
    expect(ratiosOf(priceOf('gpt-4-gizmo-g-abc', { modelPrice: {} })).model_ratio).toBe(15)
  })

  it('has group ratio 1 for a group without a ratio', () => {
    const book = bookWith({ groupRatio: { vip: 0.8 } })
    const ratios = ['vip', 'other']
      .map((group) => book.of('gpt-4o', group, no))
      .map((price) => price && ratiosOf(price))
    expect(ratios.map((ratio) => ratio?.group_ratio)).toEqual([0.8, 1])
  })

  it('has its figures as numbers', () => {
    expect(ratiosOf(priceOf('claude-3-5-sonnet-20241022'))).toEqual({
      model_ratio: 1.5,
      completion_ratio: 5,
      group_ratio: 1,
      model_price: -1,
      cache_ratio: 0.1,
      cache_creation_ratio: 1.25,
      audio_ratio: 1,
      audio_completion_ratio: 5,
    })
  })

  it('is cached per model and group', () => {
    const book = bookWith()
    expect(book.of('gpt-4o', 'vip', no)).toBe(book.of('gpt-4o', 'vip', no))
    expect(book.of('gpt-4o', 'vip', no)).not.toBe(book.of('gpt-4o', 'default', no))
  })
})

describe('completion ratios', () => {
  it.each([
    ['gpt-4o-2024-05-13', 3],
    ['gpt-4-0613', 2],
    ['gpt-4-gizmo-abc', 1],
    ['gpt-4-gizmo-*', 2],
    ['gpt-4-all', 2],
    ['o3-mini-high', 4],
    ['gemini-2.5-pro-preview-03-25', 8],
    ['gemini-2.5-pro-exp-03-25', 4],
    ['unknown', 1],
  ])('gives %s %d', (model, ratio) => expect(completionOf(model)).toBe(ratio))

  it.each([
    ['of the rules', 'gpt-4-0613'],
    ['that was built in', 'gpt-4o'],
    ['of a name with a slash', 'a/claude-3-opus'],
    ['of an unknown model', 'my-model'],
  ])('the option replaces the ratio %s', (_, model) => {
    expect(completionOf(model, { completionRatio: { [model]: 9 } })).toBe(9)
  })
})
