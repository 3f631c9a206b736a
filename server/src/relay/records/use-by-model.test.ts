import fc from 'fast-check'
import { expect, it } from 'vitest'
import { priceOf } from '../../../test/support/billing/price.ts'
import { receiptOf } from '../../billing/cost.ts'
import { keepOtherPrices } from '../../billing/named-models/other-prices.ts'
import { completionTokens, noUsage, promptTokens, type Usage } from '../../billing/usage.ts'
import type { RequestRecord } from '../ports.ts'
import { useOf } from './use-by-model.ts'

const ratios = { asked: 0.37, dear: 5, cheap: 0.011 }
const prices = new Map(
  Object.entries(ratios).map(([model, ratio]) => [model, priceOf(model, { modelRatio: { [model]: ratio } })]),
)
const asked = priceOf('asked', { modelRatio: { asked: 0.37 } })
keepOtherPrices(asked, { toolsOf: () => undefined, priceOf: (model) => prices.get(model), ofMaker: () => [] })

const counts = fc.record({
  input: fc.nat(5000),
  cacheRead: fc.nat(5000),
  cacheWrite: fc.nat(500),
  audioInput: fc.nat(50),
  output: fc.nat(5000),
  audioOutput: fc.nat(50),
})
const usageOf = fc.record({
  own: counts,
  served: fc.option(fc.constantFrom('dear', 'cheap'), { nil: undefined }),
  others: fc.array(
    fc.record({ model: fc.constantFrom('asked', 'dear', 'cheap', 'unknown'), usage: counts, isAsked: fc.boolean() }),
    { maxLength: 4 },
  ),
})

const whole = (some: Partial<Usage>): Usage => ({ ...noUsage, ...some })

it('divides what a call used among its models, without rest', () => {
  fc.assert(
    fc.property(usageOf, ({ own, served, others }) => {
      const models = {
        ...(served === undefined ? {} : { served }),
        others: others.map(({ model, usage, isAsked }) => ({
          place: 'iterations',
          model,
          usage: whole(usage),
          ...(isAsked ? { asked: true as const } : {}),
        })),
      }
      const usage = { ...whole(own), models }
      const receipt = receiptOf(usage, asked, { estimated: false })
      const record = {
        receipt,
        quota: receipt.quota,
        promptTokens: promptTokens(usage),
        completionTokens: completionTokens(usage),
      } as RequestRecord
      const use = useOf(record)
      const all = [usage, ...models.others.map((each) => each.usage)]
      expect(use.promptTokens).toBe(all.reduce((sum, each) => sum + promptTokens(each), 0))
      expect(use.completionTokens).toBe(all.reduce((sum, each) => sum + completionTokens(each), 0))
      expect(use.quota).toBe(receipt.quota)
      if (use.byModel === undefined) return
      const { own: ofAsked, others: ofOthers } = use.byModel
      for (const name of ['promptTokens', 'completionTokens'] as const)
        expect(ofOthers.reduce((sum, each) => sum + each[name], ofAsked[name])).toBe(use[name])
      const parts = ofOthers.reduce((sum, each) => sum + each.quota, ofAsked.quota)
      // Each part is rounded alone.
      expect(Math.abs(parts - use.quota)).toBeLessThanOrEqual(ofOthers.length)
      expect(ofAsked.quota).toBeGreaterThanOrEqual(0)
    }),
    { numRuns: 500 },
  )
})
