import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type CellSums, type ChangeCell, noCellSums, type Weights } from './cells.ts'
import { changeOf } from './change.ts'
import { type ChangeEffect, changeEffects, effectParts, perCallWeights } from './effects.ts'
import { termsOf } from './terms.ts'

/** A prompt token has the price 2, a cached one 1, a written one 3, an answered one 8. */
const weights: Weights = { call: 0n, prompt: 2n, cached: 1n, written: 3n, output: 8n }

const some = fc.oneof(fc.constant(0), fc.nat(9), fc.nat(3_000_000))

/** Sums of any kind: without calls, without tokens, free of charge, or corrected to less than nothing. */
const sums: fc.Arbitrary<CellSums> = fc.oneof(
  { weight: 1, arbitrary: fc.constant(noCellSums) },
  {
    weight: 4,
    arbitrary: fc
      .record({
        calls: some,
        quota: fc.oneof(some, fc.integer({ min: -5_000, max: -1 })),
        prompt: some,
        output: some,
        share: fc.nat(100),
        wrote: fc.nat(100),
      })
      .map(({ share, wrote, ...rest }) => {
        const cached = Math.floor((rest.prompt * share) / 100)
        return { ...rest, cached, written: Math.floor(((rest.prompt - cached) * wrote) / 100) }
      }),
  },
)

const cell: fc.Arbitrary<ChangeCell> = fc.record({
  user: fc.integer({ min: 1, max: 3 }),
  key: fc.integer({ min: 0, max: 2 }),
  keyName: fc.constant(''),
  model: fc.constantFrom('one', 'two', 'by the call'),
  group: fc.constantFrom('default', 'vip'),
  channel: fc.integer({ min: 1, max: 2 }),
  now: sums,
  before: sums,
})

const placeOf = ({ user, key, model, group, channel }: ChangeCell): string => [user, key, model, group, channel].join()

const history = fc.uniqueArray(cell, { maxLength: 30, selector: placeOf })

const weightsOf = (model: string): Weights => (model === 'by the call' ? perCallWeights : weights)

const sumOf = (parts: readonly { readonly amount: number }[]): number =>
  parts.reduce((sum, { amount }) => sum + amount, 0)

const total = (cells: readonly ChangeCell[], period: 'now' | 'before'): number =>
  cells.reduce((sum, { [period]: { quota } }) => sum + quota, 0)

describe('the parts of any change', () => {
  it('add up to the difference of the charges to the unit', () => {
    fc.assert(
      fc.property(history, fc.integer({ min: 1, max: 28 }), (cells, periods) => {
        const change = changeOf(cells, periods, weightsOf)
        expect(change.difference).toBe(total(cells, 'now') - Math.floor(total(cells, 'before') / periods + 0.5))
        expect(sumOf(change.entries)).toBe(change.difference)
      }),
      { numRuns: 2_000 },
    )
  })

  it('add up as fractions before they are rounded, in each cell of a caller that was there in both periods', () => {
    fc.assert(
      fc.property(history, fc.integer({ min: 1, max: 28 }), (cells, periods) => {
        for (const ofCaller of Map.groupBy(cells, ({ user, key }) => `${user} ${key}`).values()) {
          const parts = effectParts(ofCaller, periods, weightsOf)
          const common = parts.reduce((product, { amount }) => product * amount.denominator, BigInt(periods))
          const sum = parts.reduce((added, { amount }) => added + (amount.numerator * common) / amount.denominator, 0n)
          const scaled = BigInt(total(ofCaller, 'now') * periods - total(ofCaller, 'before'))
          expect(sum).toBe((scaled * common) / BigInt(periods))
        }
      }),
      { numRuns: 300 },
    )
  })

  it('add up in terms, and in the rows of each term', () => {
    fc.assert(
      fc.property(history, fc.integer({ min: 1, max: 28 }), fc.boolean(), (cells, periods, channels) => {
        const change = changeOf(cells, periods, weightsOf)
        const terms = termsOf(change, cells, { channels })
        expect(sumOf(terms)).toBe(change.difference)
        expect(terms.map(({ rows }) => sumOf(rows))).toEqual(terms.map(({ amount }) => amount))
        expect(terms.length).toBeLessThanOrEqual(6)
      }),
      { numRuns: 1_000 },
    )
  })

  it('are none where a period is like each of the others', () => {
    fc.assert(
      fc.property(history, fc.integer({ min: 1, max: 28 }), (cells, periods) => {
        const same = cells.map((one) => ({
          ...one,
          before: Object.fromEntries(
            Object.entries(one.now).map(([name, value]) => [name, value * periods]),
          ) as unknown as CellSums,
        }))
        expect(changeOf(same, periods, weightsOf).entries).toEqual([])
      }),
      { numRuns: 300 },
    )
  })
})

/** 100 calls of 1,000 tokens in and 50 out, half of the prompt from the cache: 100 × (500 × 2 + 500 × 1 + 50 × 8) = 190,000. */
const before: CellSums = { calls: 100, quota: 190_000, prompt: 100_000, cached: 50_000, written: 0, output: 5_000 }
const place = { user: 1, key: 1, keyName: 'laptop', model: 'one', group: 'default', channel: 1 }

const effectsOf = (...cells: readonly ChangeCell[]): Partial<Record<ChangeEffect, number>> => {
  const { entries } = changeOf(cells, 1, weightsOf)
  const present = changeEffects.flatMap((effect) => {
    const ofEffect = entries.filter((entry) => entry.effect === effect)
    const amount = sumOf(ofEffect)
    return amount === 0 ? [] : [[effect, amount]]
  })
  return Object.fromEntries(present)
}

describe('one factor alone', () => {
  const cases: readonly (readonly [string, Partial<CellSums>, Partial<Record<ChangeEffect, number>>])[] = [
    [
      'twice the calls',
      { calls: 200, quota: 380_000, prompt: 200_000, cached: 100_000, output: 10_000 },
      { calls: 190_000 },
    ],
    ['prompts of twice the length', { quota: 340_000, prompt: 200_000, cached: 100_000 }, { input: 150_000 }],
    ['answers of twice the length', { quota: 230_000, output: 10_000 }, { output: 40_000 }],
    ['nothing from the cache', { quota: 240_000, cached: 0 }, { cache: 50_000 }],
    ['a tenth written to the cache', { quota: 200_000, written: 10_000 }, { cache: 10_000 }],
    ['twice the price', { quota: 380_000 }, { price: 190_000 }],
  ]
  it.each(cases)('%s', (_, now, expected) => {
    expect(effectsOf({ ...place, before, now: { ...before, ...now } })).toEqual(expected)
  })

  it('another group at half the price', () => {
    const now = { ...before, quota: 95_000 }
    expect(
      effectsOf({ ...place, before, now: noCellSums }, { ...place, group: 'vip', before: noCellSums, now }),
    ).toEqual({ group: -95_000 })
  })

  it('another model at the same number of calls', () => {
    const now = { ...before, quota: 500_000 }
    expect(
      effectsOf({ ...place, before, now: noCellSums }, { ...place, model: 'two', before: noCellSums, now }),
    ).toEqual({ mix: 310_000 })
  })

  it('another channel is no change of charges', () => {
    expect(
      effectsOf({ ...place, before, now: noCellSums }, { ...place, channel: 2, before: noCellSums, now: before }),
    ).toEqual({})
  })

  it('a new caller, one that left, and a correction without a call', () => {
    const correction = { ...noCellSums, quota: -700 }
    expect(effectsOf({ ...place, before: noCellSums, now: before })).toEqual({ calls: 190_000 })
    expect(effectsOf({ ...place, before, now: noCellSums })).toEqual({ calls: -190_000 })
    expect(effectsOf({ ...place, before: noCellSums, now: correction })).toEqual({ corrections: -700 })
  })
})

it('explains the worked example of the documentation', () => {
  const now = { calls: 150, quota: 588_000, prompt: 300_000, cached: 60_000, written: 0, output: 6_000 }
  expect(effectsOf({ ...place, before, now })).toEqual({
    calls: 95_000,
    input: 225_000,
    output: -12_000,
    cache: 90_000,
  })
})

it('attributes a lower cache share to the channel that lowered it', () => {
  const half = { ...before, calls: 50, quota: 95_000, prompt: 50_000, cached: 25_000, output: 2_500 }
  const uncached = { ...half, quota: 120_000, cached: 0 }
  const { entries } = changeOf(
    [
      { ...place, before, now: half },
      { ...place, channel: 2, before: noCellSums, now: uncached },
    ],
    1,
    weightsOf,
  )
  const cache = entries.filter(({ effect }) => effect === 'cache')
  expect(cache.map(({ cell: { channel }, amount }) => [channel, amount])).toEqual([[2, 25_000]])
})
