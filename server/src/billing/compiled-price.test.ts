import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { plainCharge, plainReservation } from './compiled-price.ts'
import { cost, receiptOf, recompute } from './cost.ts'
import { decimal } from './decimal.ts'
import type { Decimal, Price, Rates } from './price.ts'
import { reservation } from './reserve.ts'
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

/** What a function answers, or the name of its error: huge amounts have none. */
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
    expect(plain).toBeGreaterThan(300)
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
