import type { Receipt } from '@tollgate/contract'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createListBook } from '#server/billing/book/list-book.ts'
import { cost, receiptOf, recompute } from '#server/billing/cost.ts'
import type { Declarations } from '#server/billing/declared/declarations.ts'
import { createPriceBook } from '#server/billing/prices.ts'
import { noUsage, type Usage } from '#server/billing/usage.ts'
import { type PriceOptions, priceSettings } from '#server/features/pricing/price-options.ts'
import { bookThatLearns, priceRowsOf } from '#server-test/support/billing/late-price.ts'
import { testOptions } from '#server-test/support/features/pricing.ts'
import { correctionPrices } from './correction-price.ts'

const known = {
  'gpt-6.2-astra': [{ rates: { input: '10', output: '50' } }],
  'gpt-5.4-mini': [
    {
      rates: { input: '1', cache_read: '0.1', output: '4' },
      in_tiers: { flex: { rates: { cache_read: '0.06', input: '0.5' } } },
    },
  ],
}
const before = priceRowsOf(known)
const after = priceRowsOf({
  ...known,
  'gpt-6.3-astra': [
    {
      rates: { input: '8', cache_read: '0.8', output: '40' },
      in_tiers: { flex: { rates: { cache_read: '0.5', input: '4' } } },
    },
  ],
})
const learnt = Date.UTC(2026, 10, 20)
const called = learnt - 3_600_000
const asked = 'gpt-6.3-astra'
const pricedNow: Declarations = { [`price openai ${asked}`]: { as: 'priced' } }
const asMini: Declarations = {
  'model iterations gpt-new': { as: 'model', model: 'gpt-5.4-mini' },
  'model answer gpt-new': { as: 'model', model: 'gpt-5.4-mini' },
}

const optionsWith = (more: Partial<PriceOptions>): PriceOptions =>
  testOptions({ ModelRatio: {}, ModelPrice: {}, PriceListsEnabled: true, ServiceTierRatios: {}, ...more })
const priceIn = (options: PriceOptions, at?: number) =>
  createPriceBook(priceSettings(options)).of(asked, 'vip', {
    acceptsUnpriced: false,
    ...(at === undefined ? {} : { at }),
  }) ?? expect.fail('no price')

const late = optionsWith({ list: bookThatLearns(before, after, learnt), GroupRatio: { vip: 0.8 } })
const provisional = priceIn(late, called)
const right = priceIn(optionsWith({ list: createListBook([after]), GroupRatio: { vip: 0.8 }, declared: asMini }))

const settle = (charged: Receipt, settles: Declarations, options: PriceOptions = late): Receipt => {
  const prices = correctionPrices(
    () => options,
    () => learnt + 1,
  )
  const logged = {
    id: 1,
    created_at: Math.floor(called / 1000),
    model_name: asked,
    group: 'vip',
    quota: charged.quota,
    prompt_tokens: 0,
    completion_tokens: 0,
    other: '{}',
  }
  const settled = prices.open(prices.freezeDeclared(settles))(logged, JSON.stringify(charged), { isTask: false })
  if (typeof settled === 'string') throw new Error(settled)
  expect(recompute(settled)).toBe(settled.quota)
  return settled
}

const tokens: Usage = { ...noUsage, input: 1000, cacheRead: 500, output: 100 }
const worked: Usage = {
  ...tokens,
  models: {
    others: [
      { place: 'iterations', model: 'gpt-new', usage: tokens },
      { place: 'iterations', model: 'gpt-5.4-mini', usage: { ...tokens, tier: 'flex' } },
      { place: 'iterations', model: asked, asked: true, usage: { ...tokens, tier: 'flex' } },
    ],
  },
}

describe('an answer of several models', () => {
  it('is charged for each part at the prices that its model has in the tier of this part', () => {
    const receipt = receiptOf({ ...worked, tier: 'flex' }, right, { estimated: false })
    const flex = { name: 'flex', ratio: '1', own: true }
    const asAsked = [
      { item: 'input', quantity: 1000, price: '4' },
      { item: 'cache_read', quantity: 500, price: '0.5' },
    ]
    expect(receipt).toMatchObject({ tier: flex, lines: expect.arrayContaining(asAsked) })
    expect(receipt.models).toMatchObject([
      { model: 'gpt-new', lines: expect.arrayContaining([{ item: 'cache_read', quantity: 500, price: '0.1' }]) },
      {
        model: 'gpt-5.4-mini',
        tier: flex,
        lines: expect.arrayContaining([{ item: 'cache_read', quantity: 500, price: '0.06' }]),
      },
      { model: asked, tier: flex, lines: expect.arrayContaining(asAsked) },
    ])
    expect(receipt.models?.[0]?.tier).toBeUndefined()
    expect(recompute(receipt)).toBe(receipt.quota)
    expect(receipt.quota).toBe(cost({ ...worked, tier: 'flex' }, right))
  })

  it('states once that the asked model lacks a price, and what other model does', () => {
    const { provisional: reasons } = receiptOf(worked, provisional, { estimated: false })
    expect(reasons).toMatchObject([
      { kind: 'price', name: asked, value: 'gpt-6.2-astra' },
      { kind: 'model', place: 'iterations', name: 'gpt-new' },
    ])
  })

  it('that another model wrote, charged as the asked one, is in question for that model alone', () => {
    const served = receiptOf({ ...tokens, models: { served: 'gpt-new', others: [] } }, provisional, {
      estimated: false,
    })
    expect(served.provisional).toMatchObject([{ kind: 'model', place: 'answer', name: 'gpt-new' }])
    expect(settle(served, pricedNow)).toEqual(served)
    const { quota, model, provisional: left, price_version, lines } = settle(served, asMini)
    const as = receiptOf({ ...tokens, models: { served: 'gpt-5.4-mini', others: [] } }, right, { estimated: false })
    expect({ quota, left, price_version, lines }).toEqual({
      quota: as.quota,
      left: undefined,
      price_version: as.price_version,
      lines: as.lines,
    })
    expect(model).toBe('gpt-new')
  })

  it('keeps the group ratio of the call where a model is declared later', () => {
    const charged = receiptOf(worked, provisional, { estimated: false })
    const changed = optionsWith({ list: bookThatLearns(before, after, learnt), GroupRatio: { vip: 0.1 } })
    expect(settle(charged, { ...asMini, ...pricedNow }, changed)).toEqual(settle(charged, { ...asMini, ...pricedNow }))
    const served = receiptOf({ ...tokens, models: { served: 'gpt-new', others: [] } }, provisional, {
      estimated: false,
    })
    expect(settle(served, asMini, changed)).toEqual(settle(served, asMini))
  })
})

const count = fc.oneof(fc.constant(0), fc.nat(100_000))
const counts = fc
  .record({ input: count, cacheRead: count, output: fc.integer({ min: 1, max: 50_000 }), flex: fc.boolean() })
  .map(({ flex, ...of }): Usage => ({ ...noUsage, ...of, ...(flex ? { tier: 'flex' } : {}) }))
const parts = fc.uniqueArray(
  fc.record({ model: fc.constantFrom('gpt-new', 'gpt-5.4-mini', asked), usage: counts }).map(({ model, usage }) => ({
    place: 'iterations',
    model,
    ...(model === asked ? { asked: true as const } : {}),
    usage,
  })),
  { selector: ({ model, usage }) => `${model} ${usage.tier}` },
)
const answers = fc
  .record({ own: counts, others: parts, served: fc.constantFrom(undefined, 'gpt-new', 'gpt-5.4-mini') })
  .map(
    ({ own, others, served }): Usage => ({
      ...own,
      models: { others, ...(served === undefined ? {} : { served }) },
    }),
  )

it('costs the same in the end, whichever of its prices is settled first, and what it should have', () => {
  fc.assert(
    fc.property(answers, (usage) => {
      const charged = receiptOf(usage, provisional, { estimated: false })
      const due = cost(usage, right)
      const together = settle(charged, { ...pricedNow, ...asMini })
      expect(settle(settle(charged, pricedNow), asMini).quota).toBe(together.quota)
      expect(settle(settle(charged, asMini), pricedNow).quota).toBe(together.quota)
      expect(together.quota).toBe(Math.min(charged.quota, due))
      if (due < charged.quota) expect(together.provisional).toBeUndefined()
    }),
    { numRuns: 300 },
  )
})
