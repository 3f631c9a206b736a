import fc from 'fast-check'
import { expect, it } from 'vitest'
import { testOptions } from '../../../../test/support/features/pricing.ts'
import { cost, receiptOf, recompute } from '../../../billing/cost.ts'
import type { Price } from '../../../billing/price.ts'
import { createPriceBook } from '../../../billing/prices.ts'
import { type AnswerModels, noUsage, sumOfModels, type Usage } from '../../../billing/usage.ts'
import { type PriceOptions, priceSettings } from '../price-options.ts'
import { repricedReceipt } from './reprice.ts'

const names = ['plain', 'half', 'draw-1', 'nobody-knows', 'plain-2026-01-01'] as const

const priceAt = (changes: Partial<PriceOptions>): Price => {
  const price = createPriceBook(priceSettings(testOptions(changes))).of('asked', 'vip', { acceptsUnpriced: true })
  return price ?? expect.fail('no price')
}

const count = fc.oneof(fc.constant(0), fc.nat(1_000_000))
const tokens = fc
  .record({ input: count, cacheRead: count, cacheWrite: count, output: fc.integer({ min: 1, max: 200_000 }) })
  .map((counts): Usage => ({ ...noUsage, ...counts }))
const models: fc.Arbitrary<AnswerModels> = fc.record(
  {
    served: fc.constantFrom(...names),
    others: fc
      .array(
        fc.record({
          place: fc.constantFrom('iterations', 'image_generation'),
          model: fc.constantFrom(...names),
          usage: tokens,
        }),
        {
          maxLength: 5,
        },
      )
      .map(sumOfModels),
  },
  { requiredKeys: ['others'] },
)
const ratio = fc.integer({ min: 0, max: 10_000 }).map((value) => value / 997)
const options = fc
  .record({ asked: ratio, plain: ratio, half: ratio, group: ratio, known: fc.boolean(), call: ratio })
  .map(({ asked, plain, half, group, known, call }) => ({
    ModelRatio: { asked, plain, half, ...(known ? { 'nobody-knows': half } : {}) },
    CompletionRatio: { asked: plain, plain: 3, half: 7 },
    ModelPrice: { 'draw-1': call },
    GroupRatio: { vip: group },
  }))
const answers = fc.record({ own: tokens, models }).map(({ own, models: named }): Usage => ({ ...own, models: named }))
const logged = { prompt: 0, completion: 0, cacheRead: 0, cacheWrite: 0, audioInput: 0, audioOutput: 0 }

it('a receipt of several models computes its charge, also after it was written and read', () => {
  fc.assert(
    fc.property(answers, options, (usage, at) => {
      const price = priceAt(at)
      const receipt = receiptOf(usage, price, { estimated: false })
      expect(receipt.quota).toBe(cost(usage, price))
      expect(recompute(JSON.parse(JSON.stringify(receipt)))).toBe(receipt.quota)
    }),
    { numRuns: 300 },
  )
})

it('a receipt of several models costs the same at the same prices', () => {
  fc.assert(
    fc.property(answers, options, (usage, at) => {
      const receipt = receiptOf(usage, priceAt(at), { estimated: false })
      const repriced = repricedReceipt(receipt, priceAt(at), logged)
      expect(repriced.quota).toBe(receipt.quota)
      expect(repriced.provisional).toEqual(receipt.provisional)
    }),
    { numRuns: 300 },
  )
})

it('a receipt of several models costs at other prices what the call would have', () => {
  fc.assert(
    fc.property(answers, options, options, (usage, before, after) => {
      // A model that lost its price keeps the one that it was charged at.
      const known = { ...after, ModelRatio: { ...after.ModelRatio, 'nobody-knows': 1 } }
      const receipt = receiptOf(usage, priceAt(before), { estimated: false })
      const repriced = repricedReceipt(receipt, priceAt(known), logged)
      expect(recompute(repriced)).toBe(repriced.quota)
      // The calls of a fixed price name no tokens, and nothing here changes between the two.
      expect(repriced.quota).toBe(cost(usage, priceAt(known)))
      expect(repriced.provisional).toBeUndefined()
    }),
    { numRuns: 300 },
  )
})

it('a changed figure of another model does not compute the charge any more', () => {
  const usage = {
    ...noUsage,
    input: 10,
    models: { others: [{ place: 'iterations', model: 'plain', usage: { ...noUsage, output: 1000 } }] },
  }
  const receipt = receiptOf(usage, priceAt({ ModelRatio: { asked: 1, plain: 1.25 } }), { estimated: false })
  const [part = expect.fail('no other model')] = receipt.models ?? []
  const changed = { ...part, lines: part.lines.map((line) => ({ ...line, quantity: 999 })) }
  expect(recompute({ ...receipt, models: [changed] })).not.toBe(receipt.quota)
})
