import { defaultTierRatios } from '@tollgate/contract/prices'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { bookWith, listPrice } from '../../../test/support/billing/price.ts'
import { hasSecondSource, publicTable, withoutSecondSource } from '../../../test/support/billing/second-source.ts'
import { litellmReader } from '../../features/price-lists/sources/litellm.ts'
import { createListBook } from '../book/list-book.ts'
import { tableSource } from '../book/price-table.ts'
import { openShippedBook } from '../book/shipped-book.ts'
import { cost, receiptOf, recompute } from '../cost.ts'
import { compare, decimal, toNumber } from '../decimal.ts'
import type { Price } from '../price.ts'
import type { PriceBook } from '../prices.ts'
import { anyTier, reservation } from '../reserve.ts'
import { noUsage } from '../usage.ts'
import { priceAtLength, priceInTier } from './tier-rates.ts'

const rates = { input: 2.5, cache_read: 0.25, output: 15 }
const batch = { rates: { cache_read: 0.13 } }

const listed = (more: Parameters<typeof listPrice>[1] = {}): Price =>
  listPrice(rates, { tiers: { batch: 0.5 }, inTiers: { batch }, ...more })

describe('a tier whose prices no factor makes', () => {
  it('is charged at its own prices, and at its factor where it states none', () => {
    const usage = { ...noUsage, input: 1_000_000, cacheRead: 1_000_000, output: 1_000_000, tier: 'batch' }
    // 1.25 + 0.13 + 7.5 dollars at 500,000 units each.
    expect(cost(usage, listed())).toBe(4_440_000)
    const receipt = receiptOf(usage, listed(), { estimated: false })
    expect(receipt.tier).toEqual({ name: 'batch', ratio: '1', own: true })
    expect(receipt.lines).toEqual([
      { item: 'input', quantity: 1_000_000, price: '1.25' },
      { item: 'cache_read', quantity: 1_000_000, price: '0.13' },
      { item: 'output', quantity: 1_000_000, price: '7.5' },
    ])
    expect(recompute(receipt)).toBe(receipt.quota)
  })

  it('has its own prices for long prompts', () => {
    const price = listed({
      contexts: [{ above: 100, rates: { input: 5, cache_read: 0.5, output: 22.5 } }],
      inTiers: { batch: { rates: { cache_read: 0.13 }, contexts: [{ above: 100, rates: { input: 2.6 } }] } },
    })
    const usage = { ...noUsage, input: 101, tier: 'batch' }
    expect(receiptOf(usage, price, { estimated: false })).toMatchObject({
      context_above: 100,
      lines: [{ item: 'input', quantity: 101, price: '2.6' }],
    })
    expect(receiptOf({ ...usage, input: 100 }, price, { estimated: false }).lines).toEqual([
      { item: 'input', quantity: 100, price: '1.25' },
    ])
  })

  it('stays a factor where it is exactly one, and then a price has nothing more to carry', () => {
    const clean = listed({ inTiers: { batch: { rates: { input: 1.25, output: 7.5 } } } })
    expect(clean.inTiers).toBeUndefined()
    expect(clean.tiers).toMatchObject({ batch: 0.5 })
    const derived = listPrice(rates, { inTiers: { hyperfast: { rates: { input: 10, cache_read: 1, output: 60 } } } })
    expect(derived.inTiers).toBeUndefined()
    expect(derived.tiers).toEqual({ hyperfast: 4 })
  })

  it('gives way to a factor that the operator set, and wins over a built-in one', () => {
    const row = { models: ['gpt-5.4'], provider: 'openai', source: '', rates, inTiers: { batch } }
    const list = createListBook([tableSource([row], 'test')])
    const priceAt = (tierRatios: Readonly<Record<string, number>>) =>
      bookWith({ modelRatio: {}, tierRatios, list }).of('gpt-5.4', 'default', { acceptsUnpriced: false })
    expect(priceAt(defaultTierRatios)?.inTiers).toHaveProperty('batch')
    const own = priceAt({ ...defaultTierRatios, 'batch:gpt-5.4': 0.4 })
    expect(own?.inTiers).toBeUndefined()
    expect(own?.tiers?.batch).toBe(0.4)
  })

  it('costs no more than was held for it, whatever the prices', () => {
    const figure = fc.integer({ min: 1, max: 5000 }).map((cents) => cents / 100)
    const prices = fc.record({ input: figure, cache_read: figure, cache_write: figure, output: figure })
    fc.assert(
      fc.property(
        prices,
        fc.record({ input: figure, output: figure }, { requiredKeys: [] }),
        prices,
        fc.nat(3000),
        fc.nat(3000),
        (usual, stated, long, input, output) => {
          const price = listPrice(usual, {
            contexts: [{ above: 1000, rates: long }],
            tiers: { priority: 2 },
            inTiers: { priority: { rates: stated, contexts: [{ above: 1000, rates: stated }] } },
          })
          const expected = { promptTokens: input, outputTokens: output, leastTokens: 0 }
          const usage = { ...noUsage, input, output }
          for (const tier of ['priority', anyTier]) {
            const held = reservation({ ...expected, tier }, price)
            expect(held).toBeGreaterThanOrEqual(cost({ ...usage, tier: 'priority' }, price))
            expect(held).toBeGreaterThanOrEqual(cost(usage, price))
          }
          const receipt = receiptOf({ ...usage, tier: 'priority' }, price, { estimated: false })
          expect(recompute(receipt)).toBe(receipt.quota)
        },
      ),
    )
  })
})

describe.skipIf(!hasSecondSource)(`tiers of the shipped lists${withoutSecondSource}`, () => {
  let book: PriceBook
  beforeAll(async () => {
    book = bookWith({ modelRatio: {}, tierRatios: defaultTierRatios, list: await openShippedBook() })
  })
  const makers: ReadonlySet<unknown> = new Set([
    'openai',
    'anthropic',
    'gemini',
    'xai',
    'mistral',
    'bedrock_converse',
    'fireworks_ai',
  ])

  it('cost exactly what the second source says wherever the usual price is the same', () => {
    const wrong: string[] = []
    let compared = 0
    for (const [name, fields] of Object.entries(publicTable())) {
      if (!makers.has(fields.provider)) continue
      const [read] = litellmReader.read({ [name]: fields }).prices
      const { rates: usual, in_tiers: tiers = {} } = read?.prices[0] ?? { rates: {} }
      const price = book.of(name, 'default', { acceptsUnpriced: false })
      if (price === undefined || price.basis !== 'dollars') continue
      const same = (['input', 'output'] as const).every(
        (kind) => usual[kind] === undefined || toNumber(price.rates[kind]) === Number(usual[kind]),
      )
      if (!same) continue
      for (const [tier, stated] of Object.entries(tiers)) {
        const { rates: own, tiers: factors } = priceInTier(price, tier)
        for (const [kind, rate] of Object.entries(stated.rates)) {
          const ours = own[kind as keyof typeof own]
          if (ours === undefined || rate === undefined) continue
          compared += 1
          const charged = toNumber(ours) * (factors?.[tier] ?? 1)
          if (Math.abs(charged - Number(rate)) > 1e-9 * Number(rate))
            wrong.push(`${name} ${tier} ${kind} ${charged}/${rate}`)
        }
      }
    }
    expect(compared).toBeGreaterThan(1000)
    expect(wrong).toEqual([])
  })

  it('have the price of the longer lifetime of a cache wherever the second source has it', () => {
    const wrong: string[] = []
    for (const [name, fields] of Object.entries(publicTable())) {
      if (!makers.has(fields.provider)) continue
      const stated = litellmReader.read({ [name]: fields }).prices[0]?.prices[0]?.rates
      const price = book.of(name, 'default', { acceptsUnpriced: false })
      if (stated?.cache_write_1h === undefined || price === undefined) continue
      if (toNumber(price.rates.input) !== Number(stated.input)) continue
      if (compare(price.rates.cache_write_1h, decimal(stated.cache_write_1h)) !== 0)
        wrong.push(`${name} ${toNumber(price.rates.cache_write_1h)}/${stated.cache_write_1h}`)
    }
    expect(wrong).toEqual([])
  })
})

const price = listPrice(
  { input: 1, output: 10 },
  {
    contexts: [
      { above: 100, rates: { input: 2, output: 20 } },
      { above: 1000, rates: { input: 4, output: 40 } },
    ],
  },
)
/** Quota units of a million tokens; a dollar is 500,000. */
const million = { ...noUsage, input: 1_000_000 }

it.each([
  [100, 500_000],
  [101, 1_000_000],
  [1001, 2_000_000],
])('prices a sum at the length of a prompt of %i tokens', (prompt, quota) => {
  expect(cost(million, priceAtLength(price, prompt))).toBe(quota)
})

it('leaves a price that is the same for every length', () => {
  const plain = listPrice({ input: 1, output: 10 })
  expect(priceAtLength(plain, 5000)).toBe(plain)
})
