import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { createListBook } from '../book/list-book.ts'
import type { ListBook } from '../book/list-price.ts'
import { tableSource } from '../book/price-table.ts'
import { openShippedBook } from '../book/shipped-book.ts'
import { cost, receiptOf } from '../cost.ts'
import { decimal, print } from '../decimal.ts'
import { createPriceBook } from '../prices.ts'
import { noUsage, type Usage } from '../usage.ts'
import { type ChannelPrices, type CostChannel, createChannelPrices } from './channel-prices.ts'
import { upstreamCost } from './upstream-cost.ts'

const quotaPerUnit = 500_000
const now = Date.parse('2026-11-23T12:00:00Z')
const used: Usage = { ...noUsage, input: 1_000_000, output: 100_000 }

/** A list that knows `m` (two dollars in, ten out) and counts how often it is read. */
const smallList = (): ListBook & { reads: number } => {
  const list = {
    reads: 0,
    find: (model: string) => {
      list.reads += 1
      if (model !== 'm') return undefined
      const rates = { input: decimal(2), output: decimal(10) }
      return { model, provider: 'p', version: 'list 1', source: '', rates, until: Number.POSITIVE_INFINITY }
    },
  }
  return list
}

const costOf = (channel: CostChannel, model = 'm', at = now, usage = used) => {
  const prices = createChannelPrices({ list: smallList(), quotaPerUnit })
  return upstreamCost(usage, prices.of(channel, model, at))
}

describe('what a provider takes', () => {
  it('is the list price where the channel says nothing', () => {
    expect(costOf({})).toEqual({ quota: 1_500_000, version: 'list 1', factor: '1' })
  })

  it('is not known for a model without a list price', () => {
    expect(costOf({}, 'unknown')).toBeUndefined()
    expect(costOf({ cost: { factor: 0.5 } }, 'unknown')).toBeUndefined()
  })

  it('is a factor of the list price, the model’s own factor first', () => {
    expect(costOf({ cost: { factor: 0.85 } })).toEqual({ quota: 1_275_000, version: 'list 1', factor: '0.85' })
    expect(costOf({ cost: { factor: 0.85, models: { m: { factor: 0.1 } } } })).toMatchObject({ quota: 150_000 })
  })

  it('is the channel’s own price in dollars, which its factor leaves alone', () => {
    const models = { m: { input: 1, output: 4 }, 'other-*': { call: 0.02 }, 'other-big*': { call: 1 } }
    expect(costOf({ cost: { factor: 9, models } })).toEqual({ quota: 700_000, version: 'channel', factor: '1' })
    expect(costOf({ cost: { models } }, 'other-1')).toMatchObject({ quota: 10_000 })
    expect(costOf({ cost: { models } }, 'other-big-1')).toMatchObject({ quota: 500_000 })
    expect(costOf({ cost: { models } }, 'constructor')).toBeUndefined()
  })

  it('has discounts from the beginning of a day to the end of another, and multiplies them', () => {
    const discounts = [{ from: '2026-11-01', to: '2026-11-23', factor: 0.5 }, { factor: 0.9 }]
    const quotaAt = (time: string) => costOf({ cost: { discounts } }, 'm', Date.parse(time))?.quota
    expect(quotaAt('2026-10-31T23:59:59.999Z')).toBe(1_350_000)
    expect(quotaAt('2026-11-01T00:00:00Z')).toBe(675_000)
    expect(quotaAt('2026-11-23T23:59:59.999Z')).toBe(675_000)
    expect(quotaAt('2026-11-24T00:00:00Z')).toBe(1_350_000)
    const own = { models: { m: { call: 1 } }, discounts }
    expect(costOf({ cost: own })).toEqual({ quota: 225_000, version: 'channel', factor: '0.45' })
  })

  it('is looked up once for a channel and model, until a discount begins or ends', () => {
    const list = smallList()
    const prices = createChannelPrices({ list, quotaPerUnit })
    const channel = { cost: { discounts: [{ to: '2026-11-23', factor: 0.5 }] } }
    const first = prices.of(channel, 'm', now)
    const { reads } = list
    expect(prices.of(channel, 'm', now + 1000)).toBe(first)
    expect(list.reads).toBe(reads)
    expect(prices.of(channel, 'm', now + 86_400_000)).not.toBe(first)
    expect(prices.of({}, 'm', now)?.groupRatio).toEqual(decimal(1))
  })

  it('is looked up anew for an earlier moment, at which the list may have had another price', () => {
    const row = { models: ['m'], provider: 'openai', source: 'https://example.com (2026-11)' }
    const rates = { input: 1, output: 1 }
    const list = createListBook([
      tableSource([{ ...row, rates, announced: { from: '2026-01-01', factor: 2 } }], 'list'),
    ])
    const prices = createChannelPrices({ list, quotaPerUnit })
    const channel = { cost: { factor: 1 } }
    const versionOn = (day: string) => prices.of(channel, 'm', Date.parse(day))?.version
    expect(['2026-06-01', '2025-06-01', '2026-06-01'].map(versionOn)).toEqual([
      'list, 2026-01-01',
      'list',
      'list, 2026-01-01',
    ])
  })

  it('is not known, rather than nothing, for what the price does not name', () => {
    const pictures = { ...noUsage, images: { count: 2, ratio: 1 } }
    expect(costOf({}, 'm', now, pictures)).toBeUndefined()
    expect(costOf({ cost: { models: { m: { picture: 40_000 } } } }, 'm', now, pictures)).toMatchObject({
      quota: 40_000,
    })
    expect(costOf({}, 'm', now, noUsage)).toMatchObject({ quota: 0 })
  })

  it('is not known where it is beyond what can be counted', () => {
    expect(costOf({ cost: { models: { m: { call: 1e9 } } } }, 'm', now, { ...used, calls: 1e9 })).toBeUndefined()
  })
})

describe('at the list price × 1 and group ratio 1', () => {
  const models = [
    'gpt-4o',
    'gpt-4.1-mini',
    'claude-sonnet-4-5',
    'gemini-2.5-pro',
    'deepseek-chat',
    'text-embedding-3-small',
  ]
  const count = fc.oneof(fc.constant(0), fc.nat(5000), fc.integer({ min: 100_000, max: 900_000 }))
  const usages: fc.Arbitrary<Usage> = fc
    .record({
      input: count,
      cacheRead: count,
      cacheWrite: count,
      cacheWrite1h: count,
      audioInput: count,
      output: count,
      audioOutput: count,
      searches: fc.nat(5),
      tier: fc.constantFrom(undefined, 'flex', 'priority'),
    })
    .map(({ searches, tier, ...tokens }) => ({
      ...noUsage,
      ...tokens,
      reasoning: Math.floor(tokens.output / 2),
      ...(searches === 0 ? {} : { tools: { web_search: searches } }),
      ...(tier === undefined ? {} : { tier }),
    }))
  let list: ListBook
  let prices: ChannelPrices
  beforeAll(async () => {
    list = await openShippedBook()
    prices = createChannelPrices({ list, quotaPerUnit })
  })

  it('a call costs exactly what is charged for it', async () => {
    const { defaultTierRatios, defaultToolPrices } = await import('@tollgate/contract/prices')
    const book = createPriceBook({
      modelRatio: {},
      modelPrice: {},
      completionRatio: {},
      cacheRatio: {},
      groupRatio: {},
      selfUse: false,
      toolPrices: defaultToolPrices,
      tierRatios: defaultTierRatios,
      quotaPerUnit,
      list,
    })
    fc.assert(
      fc.property(fc.constantFrom(...models), usages, (model, usage) => {
        const price = book.of(model, 'default', { acceptsUnpriced: false })
        if (price === undefined) throw new Error(`${model} has no list price`)
        const receipt = receiptOf(usage, price, { estimated: false })
        expect(upstreamCost(usage, prices.of({}, model, Date.now()))?.quota).toBe(receipt.quota)
      }),
    )
  })

  it('a factor is that part of it, rounded once', () => {
    fc.assert(
      fc.property(fc.constantFrom(...models), usages, fc.nat(2000), (model, usage, thousandths) => {
        const factor = thousandths / 1000
        const [plain, part] = [{}, { cost: { factor } }].map((channel) => prices.of(channel, model, Date.now()))
        if (plain === undefined || part === undefined) throw new Error(`${model} has no list price`)
        expect(print(part.groupRatio)).toBe(print(decimal(factor)))
        expect(Math.abs(cost(usage, part) - cost(usage, plain) * factor)).toBeLessThanOrEqual(1 + factor)
      }),
    )
  })
})
