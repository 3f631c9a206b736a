import { expect, it } from 'vitest'
import { testOptions } from '../../../../test/support/features/pricing.ts'
import { cost, receiptOf, recompute } from '../../../billing/cost.ts'
import type { Price } from '../../../billing/price.ts'
import { createPriceBook } from '../../../billing/prices.ts'
import { completionTokens, noUsage, promptTokens, type Usage } from '../../../billing/usage.ts'
import type { PriceOptions } from '../price-options.ts'
import { priceSettings } from '../price-options.ts'
import { reprice, repricedReceipt } from './reprice.ts'

const priceAt = (model: string, changes: Partial<PriceOptions> = {}): Price => {
  const price = createPriceBook(priceSettings(testOptions(changes))).of(model, 'vip', { acceptsUnpriced: true })
  if (price === undefined) throw new Error(model)
  return price
}

const logged = (usage: Usage) => ({
  prompt: promptTokens(usage),
  completion: completionTokens(usage),
  cacheRead: usage.cacheRead,
  cacheWrite: usage.cacheWrite,
  audioInput: usage.audioInput,
  audioOutput: usage.audioOutput,
})

const usage: Usage = {
  ...noUsage,
  input: 1003,
  cacheRead: 777,
  cacheWrite: 41,
  output: 333,
  audioInput: 19,
  audioOutput: 7,
}

const repricedFrom = (before: Price, after: Price, used: Usage = usage): number =>
  reprice(receiptOf(used, before, { estimated: false }), after, logged(used))

const extras = { ...usage, tools: { web_search: 3, unpriced: 2 }, tier: 'priority' }

const tokens = priceAt('plain')
const dearer = priceAt('plain', { ModelRatio: { plain: 0.3333333 }, CompletionRatio: { plain: 7 }, CacheRatio: {} })
const perCall = priceAt('plain', { ModelPrice: { plain: 0.013 } })
const dearerCall = priceAt('plain', { ModelPrice: { plain: 0.3 }, QuotaPerUnit: 1000 })

it.each([
  ['by tokens, at the same price', tokens, tokens],
  ['by tokens, at another one', tokens, dearer],
  ['by call, at another price and quota per unit', perCall, dearerCall],
  ['by tokens, at a fixed price', tokens, perCall],
  ['by call, at a price by tokens', perCall, dearer],
])('charges a call that was billed %s, as billing itself would', (_how, before, after) => {
  expect(repricedFrom(before, after)).toBe(cost(usage, after))
})

const otherExtras = priceAt('plain', { ToolPrices: { unpriced: 7 }, ServiceTierRatios: { priority: 3.3 } })

it.each([
  ['at the same price', tokens, tokens],
  ['at another one', tokens, otherExtras],
  ['at a fixed price', tokens, perCall],
  ['at another fixed price', perCall, dearerCall],
])('charges tools and the tier of a call %s, as billing itself would', (_how, before, after) => {
  expect(repricedFrom(before, after, extras)).toBe(cost(extras, after))
})

it('charges tools, but no tier that nobody noted, where a call at a fixed price would be billed by tokens', () => {
  const { tier: _, ...known } = extras
  expect(repricedFrom(perCall, otherExtras, extras)).toBe(cost(known, otherExtras))
})

it('charges nothing for a call whose upstream did nothing', () => {
  for (const after of [tokens, perCall]) {
    expect(repricedFrom(tokens, after, noUsage)).toBe(0)
    expect(repricedFrom(perCall, after, noUsage)).toBe(0)
  }
})

it('keeps the price of what is no kind of token', () => {
  const receipt = receiptOf({ ...noUsage, input: 100 }, tokens, { estimated: false })
  const withMore = { ...receipt, lines: [...receipt.lines, { item: 'seconds', quantity: 2, price: '10' }] }
  expect(reprice(withMore, tokens, logged(noUsage))).toBe(Math.round(120 * 1.25 * 0.5))
})

it('gives the receipt back its own charge, whatever was used', () => {
  let seed = 7
  const random = (most: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return seed % most
  }
  for (let round = 0; round < 500; round += 1) {
    const price = priceAt('m', {
      ModelRatio: { m: random(10_000) / 997 },
      CompletionRatio: { m: random(900) / 113 },
      CacheRatio: { m: random(100) / 97 },
      GroupRatio: { vip: random(300) / 101 },
      ...(random(3) === 0 ? { ModelPrice: { m: random(1000) / 7001 } } : {}),
    })
    const used = {
      ...noUsage,
      input: random(5000),
      cacheRead: random(3) * random(900),
      cacheWrite: random(2) * random(90),
      cacheWrite1h: random(2) * random(90),
      audioInput: random(2) * random(50),
      output: random(4000),
      audioOutput: random(2) * random(50),
    }
    const receipt = receiptOf(used, price, { estimated: false })
    expect(reprice(receipt, price, logged(used))).toBe(receipt.quota)
  }
})

const unknown = [
  { kind: 'usage', dialect: 'openai', name: 'fresh_tokens', value: 200, count: 200 },
  { kind: 'cache', dialect: 'anthropic', name: 'cache_creation.ephemeral_1w_input_tokens', value: 30, count: 30 },
  { kind: 'geo', dialect: 'anthropic', name: 'inference_geo=moon', value: 'moon', count: 0 },
  { kind: 'tool', dialect: 'openai', name: 'server_tool_use.dance_requests', value: 2, count: 2 },
] as const

const placed = priceAt('plain', { ServiceTierRatios: { place_us: 1.1 } })
const placedDearer = priceAt('plain', {
  ModelRatio: { plain: 0.3333333 },
  CompletionRatio: { plain: 7 },
  CacheRatio: {},
  ServiceTierRatios: { place_us: 1.3, priority: 2 },
})

it.each<[string, Partial<Usage>]>([
  ['a place', { place: 'us' }],
  ['a place and a tier', { place: 'us', tier: 'priority' }],
  ['figures that nobody declared', { unknown }],
  ['all of these', { place: 'us', tier: 'hyper', tools: { web_search: 1 }, unknown }],
])('keeps %s at whatever price a call is charged', (_what, more) => {
  const used: Usage = { ...usage, ...more }
  const before = receiptOf(used, placed, { estimated: false })
  for (const price of [placed, placedDearer, perCall]) {
    const after = repricedReceipt(before, price, logged(used))
    const billed = receiptOf(used, price, { estimated: false })
    expect(after.quota).toBe(billed.quota)
    expect(after.place).toEqual(billed.place)
    expect(after.provisional).toEqual(billed.provisional)
    expect(recompute(after)).toBe(after.quota)
  }
})

it('keeps reasons that prices do not answer', () => {
  const reason = { kind: 'model', place: 'openrouter', name: 'gpt-6', value: 'gpt-6' }
  const before = { ...receiptOf(usage, tokens, { estimated: false }), provisional: [reason] }
  expect(repricedReceipt(before, dearer, logged(usage)).provisional).toEqual([reason])
})
