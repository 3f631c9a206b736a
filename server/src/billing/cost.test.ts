import type { Receipt } from '@tollgate/contract'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { priceOf } from '../../test/support/billing/price.ts'
import { cost, receiptOf, recompute } from './cost.ts'
import { decimal } from './decimal.ts'
import type { Price } from './price.ts'
import { noUsage, type Usage } from './usage.ts'

const vip = { groupRatio: { default: 0.8 } }
const tiny = { modelRatio: { tiny: 0.075 } }

describe('a charge in worked examples', () => {
  it.each<[string, string, Partial<Usage>, Price, number]>([
    ['1', '(1000 + 500 × 4) × 1.25', { input: 1000, output: 500 }, priceOf('gpt-4o'), 3750],
    ['2', '(600 + 400 × 0.5 + 500 × 4) × 1.25', { input: 600, cacheRead: 400, output: 500 }, priceOf('gpt-4o'), 3500],
    [
      '3',
      '(100 + 2000 × 0.1 + 500 × 1.25 + 300 × 5) × 1.5 × 0.8',
      { input: 100, cacheRead: 2000, cacheWrite: 500, output: 300 },
      priceOf('claude-3-5-sonnet-20241022', vip),
      2910,
    ],
    ['6', '1033 × 15', { input: 1033 }, priceOf('whisper-1'), 15_495],
    ['7', '5 × 7.5 = 37.5', { input: 5 }, priceOf('tts-1'), 38],
    [
      '11',
      '(10 + 30 × 4 + 20 × 16 + 40 × 16 × 2) × 1.25 = 2162.5',
      { input: 10, output: 30, audioInput: 20, audioOutput: 40 },
      priceOf('gpt-4o-audio-preview'),
      2163,
    ],
    ['12', '0.1 × 500000', { input: 1 }, priceOf('mj_imagine'), 50_000],
    ['13', '1 × 0.075 rounds to 0', { input: 1 }, priceOf('tiny', tiny), 0],
    ['14', 'nothing used', {}, priceOf('gpt-4o'), 0],
    ['14 at a fixed price', 'nothing used', {}, priceOf('mj_imagine'), 0],
  ])('%s: %s', (_, __, usage, price, quota) => expect(cost({ ...noUsage, ...usage }, price)).toBe(quota))
})

describe('a charge', () => {
  it.each<[string, Partial<Usage>, Price, number]>([
    [
      'a cache write for one hour costs double: 100 × 2 × 1.5',
      { cacheWrite1h: 100 },
      priceOf('claude-3-opus-20240229'),
      1500,
    ],
    ['a half goes up: 6 × 0.25 = 1.5', { input: 6 }, priceOf('command-r'), 2],
    ['a third stays exact: 3 × 1.3333333333333333 × 0.75 = 2.999…', { output: 3 }, priceOf('gpt-3.5-turbo-0613'), 3],
    ['reasoning is part of the output: 10 × 4 × 1.25', { output: 10, reasoning: 8 }, priceOf('gpt-4o'), 50],
    ['a free model is free', { input: 1000, output: 1000 }, priceOf('glm-4-flash'), 0],
    ['the group ratio applies to a fixed price: 0.04 × 500000 × 0.8', { input: 1 }, priceOf('dall-e-3', vip), 16_000],
  ])('%s', (_, usage, price, quota) => expect(cost({ ...noUsage, ...usage }, price)).toBe(quota))
})

describe('receipts', () => {
  it('list each quantity with its price relative to a prompt token', () => {
    const usage = { ...noUsage, input: 10, cacheRead: 5, audioOutput: 2 }
    expect(receiptOf(usage, priceOf('gpt-4o-audio-preview'), { estimated: false })).toEqual({
      mode: 'tokens',
      lines: [
        { item: 'input', quantity: 10, price: '1' },
        { item: 'cache_read', quantity: 5, price: '1' },
        { item: 'audio_output', quantity: 2, price: '32' },
      ],
      model_ratio: '1.25',
      price_version: 'operator',
      group_ratio: '1',
      quota_per_unit: '500000',
      quota: 99,
      estimated: false,
    })
  })

  it('have one line for a call at a fixed price', () => {
    expect(receiptOf({ ...noUsage, input: 7 }, priceOf('mj_imagine'), { estimated: true })).toEqual({
      mode: 'call',
      lines: [{ item: 'call', quantity: 1, price: '1' }],
      model_ratio: '37.5',
      price_version: 'operator',
      model_price: '0.1',
      group_ratio: '1',
      quota_per_unit: '500000',
      quota: 50_000,
      estimated: true,
    })
  })

  it('recompute to another charge after a figure was changed', () => {
    const receipt = receiptOf({ ...noUsage, input: 1000 }, priceOf('gpt-4o'), { estimated: false })
    expect(recompute({ ...receipt, model_ratio: '1.26' })).not.toBe(receipt.quota)
  })
})

describe('tools that run at the provider, and service tiers', () => {
  const settings = {
    toolPrices: { web_search: 10, 'web_search:gpt-4o*': 25, file_search: 2.5 },
    tierRatios: { 'priority:gpt-4o*': 1.7, flex: 0.5 },
  }
  const tools = { web_search: 2, file_search: 1, web_fetch: 4 }

  it.each<[string, Partial<Usage>, Price, number]>([
    ['tools by the thousand: 2 × 25 + 2.5', { tools }, priceOf('gpt-4o', settings), 26_250],
    ['the group ratio for tools: (2 × 10 + 2.5) × 0.8', { tools }, priceOf('o1', { ...settings, ...vip }), 9000],
    ['tools beside a fixed price: 20 000 + 11 250', { input: 1, tools }, priceOf('dall-e-3', settings), 31_250],
    ['no tool that is sold by its tokens', { tools: { web_fetch: 9 } }, priceOf('gpt-4o', settings), 0],
    [
      'the dearest tool of its maker, one that nobody knows: 9 × 30',
      { tools: { constructor: 9 } },
      priceOf('gpt-4o', settings),
      135_000,
    ],
    ['a tier the tokens: 100 × 1.25 × 1.7 = 212.5', { input: 100, tier: 'priority' }, priceOf('gpt-4o', settings), 213],
    ['a tier for all models: 100 × 7.5 × 0.5', { input: 100, tier: 'flex' }, priceOf('o1', settings), 375],
    [
      'the dearest tier of its maker, one that nobody knows: × 6',
      { input: 100, tier: 'odd' },
      priceOf('gpt-4o', settings),
      750,
    ],
    ['no tier a fixed price', { input: 1, tier: 'flex' }, priceOf('dall-e-3', settings), 20_000],
    ['no tier tools', { tier: 'flex', tools: { web_search: 1 } }, priceOf('o1', settings), 5000],
  ])('cost %s', (_, usage, price, quota) => expect(cost({ ...noUsage, ...usage }, price)).toBe(quota))

  it('are rounded together with the tokens: 0.3 + 0.3 = 0.6', () => {
    const price = priceOf('x', { modelRatio: { x: 0.3 }, toolPrices: { ping: 0.0006 } })
    expect(cost({ ...noUsage, input: 1, tools: { ping: 1 } }, price)).toBe(1)
  })

  it('are lines of the receipt with their price', () => {
    const usage = { ...noUsage, input: 8, tools, tier: 'priority' }
    expect(receiptOf(usage, priceOf('gpt-4o', settings), { estimated: false })).toMatchObject({
      lines: [{ item: 'input', quantity: 8, price: '1' }],
      tier: { name: 'priority', ratio: '1.7' },
      tools: [
        { tool: 'web_search', quantity: 2, price: '25' },
        { tool: 'file_search', quantity: 1, price: '2.5' },
        { tool: 'web_fetch', quantity: 4, price: '0' },
      ],
      quota: 26_267,
    })
  })

  it('are absent from the receipt of a call without them', () => {
    const receipt = receiptOf({ ...noUsage, input: 8 }, priceOf('gpt-4o', settings), { estimated: false })
    expect(Object.keys(receipt)).not.toContain('tools')
    expect(Object.keys(receipt)).not.toContain('tier')
  })

  it('recompute to another charge after they were changed', () => {
    const usage = { ...noUsage, input: 1000, tools: { web_search: 1 }, tier: 'flex' }
    const receipt = receiptOf(usage, priceOf('gpt-4o', settings), { estimated: false })
    expect(recompute({ ...receipt, tier: { name: 'flex', ratio: '0.6' } })).not.toBe(receipt.quota)
    expect(recompute({ ...receipt, tools: [{ tool: 'web_search', quantity: 2, price: '25' }] })).not.toBe(receipt.quota)
  })
})

const ratio = fc
  .double({ min: 0, max: 100, noNaN: true })
  .map((value) => decimal(value))
  .filter(({ scale }) => scale < 40)
const tokens = fc.integer({ min: 0, max: 2_000_000 })
const toolNames = fc.constantFrom('web_search', 'file_search', 'free', 'toString')
const extras = fc.record(
  {
    tools: fc.dictionary(toolNames, fc.integer({ min: 1, max: 5000 })),
    tier: fc.constantFrom('flex', 'priority', 'odd'),
  },
  { requiredKeys: [] },
)
const plainUsages: fc.Arbitrary<Usage> = fc.record({
  input: tokens,
  cacheRead: tokens,
  cacheWrite: tokens,
  cacheWrite1h: tokens,
  audioInput: tokens,
  output: tokens,
  audioOutput: tokens,
  reasoning: fc.constant(0),
})
const usages: fc.Arbitrary<Usage> = fc.tuple(plainUsages, extras).map(([usage, more]) => ({ ...usage, ...more }))
const figures = fc.double({ min: 0, max: 100, noNaN: true }).filter((value) => decimal(value).scale < 40)
const tierFigures = fc.integer({ min: 0, max: 300 }).map((percent) => percent / 100)
const prices: fc.Arbitrary<Price> = fc.record({
  model: fc.constant('m'),
  group: fc.constant('g'),
  perCall: fc.option(ratio, { nil: undefined }),
  basis: fc.constantFrom('ratio', 'dollars'),
  unit: ratio,
  rates: fc.record({
    input: ratio,
    cache_read: ratio,
    cache_write: ratio,
    cache_write_1h: ratio,
    audio_input: ratio,
    output: ratio,
    audio_output: ratio,
  }),
  groupRatio: ratio,
  quotaPerUnit: fc.constant(decimal(500_000)),
  tiers: fc.record({ flex: tierFigures, priority: tierFigures }),
  tools: fc.record({ web_search: figures, file_search: figures }),
})
const kinds = ['input', 'cacheRead', 'cacheWrite', 'cacheWrite1h', 'audioInput', 'output', 'audioOutput'] as const
const countOf = ({ tools = {} }: Usage, tool: string): number => (Object.hasOwn(tools, tool) ? (tools[tool] ?? 0) : 0)
const sum = (left: Usage, right: Usage): Usage => ({
  ...noUsage,
  ...Object.fromEntries(kinds.map((kind) => [kind, left[kind] + right[kind]])),
  ...(left.tier === undefined ? {} : { tier: left.tier }),
  tools: Object.fromEntries(
    [...new Set([...Object.keys(left.tools ?? {}), ...Object.keys(right.tools ?? {})])].map((tool) => [
      tool,
      countOf(left, tool) + countOf(right, tool),
    ]),
  ),
})

describe('for any usage and price', () => {
  it('the receipt recomputes to its charge, also after JSON serialization', () => {
    fc.assert(
      fc.property(usages, prices, (usage, price) => {
        const receipt = receiptOf(usage, price, { estimated: false })
        const stored: Receipt = JSON.parse(JSON.stringify(receipt))
        expect(receipt.quota).toBe(cost(usage, price))
        expect(recompute(stored)).toBe(receipt.quota)
      }),
    )
  })

  it('the charge is a whole number and never negative', () => {
    fc.assert(
      fc.property(usages, prices, (usage, price) => {
        const quota = cost(usage, price)
        expect(Number.isSafeInteger(quota) && quota >= 0).toBe(true)
      }),
    )
  })

  it('more tokens never cost less', () => {
    fc.assert(
      fc.property(usages, usages, prices, (usage, more, price) => {
        expect(cost(sum(usage, more), price)).toBeGreaterThanOrEqual(cost(usage, price))
      }),
    )
  })

  it('two halves of a call cost as much as the whole, within rounding', () => {
    fc.assert(
      fc.property(usages, usages, prices, (left, other, anyPrice) => {
        const price = { ...anyPrice, perCall: undefined }
        const { tier: _, ...right } = other
        const same = left.tier === undefined ? right : { ...right, tier: left.tier }
        const parts = cost(left, price) + cost(same, price)
        expect(Math.abs(parts - cost(sum(left, right), price))).toBeLessThanOrEqual(1)
      }),
    )
  })
})
