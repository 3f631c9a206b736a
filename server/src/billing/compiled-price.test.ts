import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { plainCharge, plainCost, plainReceipt, plainReservation } from './compiled-price.ts'
import { anyReceipt, cost, receiptOf, recompute } from './cost.ts'
import { decimal } from './decimal.ts'
import type { Decimal, Price, Rates } from './price.ts'
import { reservation } from './reserve.ts'
import { upstreamCost } from './upstream/upstream-cost.ts'
import { noUsage, type Usage } from './usage.ts'

const decimals = (most: number, mostPlaces: number): fc.Arbitrary<Decimal> =>
  fc
    .tuple(fc.integer({ min: 0, max: most }), fc.integer({ min: 0, max: mostPlaces }))
    .map(([digits, places]) => decimal(`${digits}e-${places}`))

/** Mostly as price lists have them; sometimes of a length that has no exact product among the safe integers. */
const amount = fc.oneof({ weight: 9, arbitrary: decimals(20_000, 4) }, { weight: 1, arbitrary: decimals(5_000_000, 7) })
const factor = fc.oneof(fc.constantFrom('0.5', '1', '1.25', '0.8', '7.5').map(decimal), decimals(500, 2))
const rare = (one: fc.Arbitrary<Decimal>): fc.Arbitrary<Decimal | undefined> =>
  fc.oneof({ weight: 7, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: one })

const rates: fc.Arbitrary<Rates> = fc
  .record({
    input: amount,
    cache_read: amount,
    cache_write: amount,
    cache_write_1h: amount,
    audio_input: amount,
    output: amount,
    audio_output: amount,
    reasoning: rare(amount),
    image_input: fc.option(amount, { nil: undefined }),
    video_input: fc.option(amount, { nil: undefined }),
    request: rare(amount),
  })
  .map((all) => Object.fromEntries(Object.entries(all).filter(([, rate]) => rate !== undefined)) as unknown as Rates)

const price: fc.Arbitrary<Price> = fc
  .record({
    rates,
    tiers: fc.uniqueArray(fc.tuple(fc.integer({ min: 1, max: 300_000 }), rates), {
      maxLength: 2,
      selector: ([above]) => above,
    }),
    basis: fc.constantFrom('ratio' as const, 'dollars' as const),
    unit: factor,
    groupRatio: factor,
  })
  .map(({ tiers, ...more }) => ({
    model: 'm',
    group: 'g',
    perCall: undefined,
    quotaPerUnit: decimal(500_000),
    ...more,
    ...(tiers.length === 0
      ? {}
      : { contexts: tiers.sort(([one], [other]) => one - other).map(([above, own]) => ({ above, rates: own })) }),
  }))

const count = fc.oneof(
  { weight: 1, arbitrary: fc.constant(0) },
  { weight: 4, arbitrary: fc.integer({ min: 0, max: 300_000 }) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 1_000_000_000_000 }) },
)

const usage: fc.Arbitrary<Usage> = fc
  .record({
    input: count,
    cacheRead: count,
    cacheWrite: count,
    audioInput: count,
    output: count,
    audioOutput: count,
  })
  .map((counts) => ({ ...noUsage, ...counts, reasoning: counts.output % 7 }))

/** Result of a function, or 'RangeError' where the amount is beyond the safe integers. */
const outcomeOf = (run: () => number): number | string => {
  try {
    return run()
  } catch (error) {
    return error instanceof RangeError ? 'RangeError' : Promise.reject(error).toString()
  }
}

describe('a compiled price', () => {
  it('charges what the figures of the receipt come to in exact decimals', () => {
    let plain = 0
    fc.assert(
      fc.property(usage, price, (used, at) => {
        const quota = outcomeOf(() => cost(used, at))
        if (plainCharge(used, at) !== undefined) plain += 1
        if (typeof quota === 'string') return
        const receipt = receiptOf(used, at, { estimated: false })
        expect(receipt.quota).toBe(quota)
        expect(recompute(receipt)).toBe(quota)
      }),
      { numRuns: 3000 },
    )
    expect(plain).toBeGreaterThan(200)
  })

  it('prints the receipt, and computes the cost, that the general way does', () => {
    const mostlyNothing = <T extends object>(...some: readonly T[]): fc.Arbitrary<T> =>
      fc.oneof({ weight: 9, arbitrary: fc.constant({} as T) }, { weight: 1, arbitrary: fc.constantFrom(...some) })
    const odd = mostlyNothing<Partial<Usage>>(
      ...[{ cacheWrite1h: 5 }, { tier: 'flex' }, { place: 'us' }, { tools: { web_search: 2 } }],
      ...[{ more: { image_input: 3 } }, { measures: { duration: 9 } }, { images: { count: 1, ratio: 1 } }],
      ...[{ disputed: { prompt_tokens: 9 } }, { models: { others: [] } }, { stated: { amount: '1', by: 'cost' } }],
      { unknown: [{ kind: 'usage', dialect: 'openai', name: 'x_tokens', value: 4, count: 4 }] },
    )
    const reason = { kind: 'price', place: 'openai', name: 'm', value: 'n' } as const
    const more = mostlyNothing<Partial<Price>>(
      ...[{ version: 'list 3' }, { perCall: decimal('0.01') }, { provisional: reason }],
      { tiers: { flex: 0.5 }, tools: { web_search: 10 } },
    )
    let plain = 0
    fc.assert(
      fc.property(usage, odd, price, more, (used, extras, at, terms) => {
        const [whole, listed] = [
          { ...used, ...extras },
          { ...at, ...terms },
        ]
        const receipt = plainReceipt(whole, listed)
        if (receipt === undefined) return
        plain += 1
        const general = anyReceipt(whole, listed, { estimated: false })
        // Receipts are stored as JSON, with their members in order.
        expect(JSON.stringify(receipt)).toBe(JSON.stringify(general))
        expect(receiptOf(whole, listed, { estimated: true })).toEqual({ ...general, estimated: true })
        const known = plainCost(whole, listed)
        if (known !== undefined && receipt.lines.length > 0) expect(known).toEqual(upstreamCost(whole, listed))
      }),
      { numRuns: 3000 },
    )
    expect(plain).toBeGreaterThan(200)
  })

  it('holds what the exact decimals come to', () => {
    const call = fc.record({
      promptTokens: count,
      outputTokens: count,
      answers: fc.integer({ min: 0, max: 8 }),
      leastTokens: fc.integer({ min: 0, max: 1000 }),
      cached: fc.constantFrom(undefined, '5m' as const, '1h' as const),
    })
    let plain = 0
    fc.assert(
      fc.property(call, price, (expected, at) => {
        if (plainReservation(expected, at) !== undefined) plain += 1
        // A list of tools without any costs nothing, but is not plain.
        const exact = outcomeOf(() => reservation({ ...expected, tools: [] }, at))
        expect(outcomeOf(() => reservation(expected, at))).toBe(exact)
      }),
      { numRuns: 3000 },
    )
    expect(plain).toBeGreaterThan(300)
  })
})
