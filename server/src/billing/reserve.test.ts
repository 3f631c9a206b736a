import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { listPrice, priceOf } from '../../test/support/billing/price.ts'
import { cost } from './cost.ts'
import { anyTier, type Expected, reservation } from './reserve.ts'
import { noUsage } from './usage.ts'

/** gpt-4o costs 1.25 units per prompt token and 4 times as much per completion token. */
const some: Expected = { promptTokens: 50, outputTokens: 1000, leastTokens: 500 }
const of = (changes: Partial<Expected>, model = 'gpt-4o'): number =>
  reservation({ ...some, ...changes }, priceOf(model))

describe('a reservation', () => {
  it.each([
    ['the prompt and the longest answer, rounded up: (50 + 1000 × 4) × 1.25', {}, 5063],
    ['every answer: (50 + 3 × 1000 × 4) × 1.25', { answers: 3 }, 15_063],
    ['the prompt alone, for calls without output: 1000 × 1.25', { promptTokens: 1000, outputTokens: 0 }, 1250],
    ['the least: 500 × 1.25', { promptTokens: 1, outputTokens: 1 }, 625],
    ['a prompt that is cached: (1000 × 1.25 + 4000) × 1.25', { promptTokens: 1000, cached: '5m' as const }, 6563],
    [
      'a prompt that is cached for an hour: (1000 × 2 + 4000) × 1.25',
      { promptTokens: 1000, cached: '1h' as const },
      7500,
    ],
    ['a negative maximum, which counts as none', { outputTokens: -1_000_000 }, 625],
    ['a fraction, which counts as its whole part: (50 + 10 × 4) × 1.25', { leastTokens: 0, outputTokens: 10.9 }, 113],
    ['a negative number of answers, which counts as one', { answers: -5 }, 5063],
    ['an absurd maximum as the largest integer', { outputTokens: 1e300 }, Number.MAX_SAFE_INTEGER],
    ['absurdly many answers as the largest integer', { answers: 1e300 }, Number.MAX_SAFE_INTEGER],
  ])('holds %s', (_, changes, quota) => expect(of(changes)).toBe(quota))

  it('holds a fixed price as often as it may be charged, whatever the tokens', () => {
    expect(of({}, 'mj_imagine')).toBe(50_000)
    expect(of({ calls: 3 }, 'mj_imagine')).toBe(150_000)
  })

  it('holds audio answers at the audio price', () => {
    const price = priceOf('gpt-4o', { audioRatio: { 'gpt-4o': 16 }, audioCompletionRatio: { 'gpt-4o': 2 } })
    expect(reservation({ ...some, spoken: true }, price)).toBe(Math.ceil((50 + 1000 * 16 * 2) * 1.25))
  })

  it.each([
    ['a more expensive tier: 500 × 1.25 × 1.7', 'priority', 1063],
    ['a cheaper tier, which may not be granted: as the standard one', 'flex', 625],
    ['a tier that the provider chooses: the most expensive one, except `fast`', anyTier, 1063],
    ['an undeclared tier as the dearest', 'constructor', 3750],
  ])('holds %s', (_, tier, quota) => {
    const tierRatios = { 'priority:gpt-4o*': 1.7, flex: 0.5, 'fast:gpt-4o*': 6 }
    const expected = { promptTokens: 5, outputTokens: 0, leastTokens: 500, tier }
    expect(reservation(expected, priceOf('gpt-4o', { tierRatios }))).toBe(quota)
  })

  it.each([
    ['two pictures by ratio: 2 × 1250 × 0.5 × 2', 1, { count: 2, ratio: 0.5, tokens: 1600 }, 2500],
    [
      'pictures whose tokens may be reported: (500 + 2 × 1600 × 8) × 2',
      8,
      { count: 2, ratio: 0.5, tokens: 1600 },
      52_200,
    ],
    ['no pictures', 1, { count: 0, ratio: 1, tokens: 1600 }, 1000],
  ])('holds %s', (_, completion, images, quota) => {
    const price = priceOf('drawer', { modelRatio: { drawer: 2 }, completionRatio: { drawer: completion } })
    expect(reservation({ promptTokens: 5, outputTokens: 0, leastTokens: 500, images }, price)).toBe(quota)
  })

  it('is a safe integer and not negative, whatever the client sends', () => {
    fc.assert(
      fc.property(fc.double(), fc.double(), fc.double(), (promptTokens, outputTokens, answers) => {
        const quota = reservation({ promptTokens, outputTokens, answers, leastTokens: 500 }, priceOf('gpt-4'))
        expect(Number.isSafeInteger(quota) && quota >= 0).toBe(true)
      }),
    )
  })

  it.each([
    ['characters that are to be spoken: 4000 × 15 ÷ 2', { characters: 15 }, { measures: { characters: 4000 } }, 30_000],
    ['milliseconds of sound', { duration: 0.1 }, { measures: { duration: 60_000 } }, 3000],
    ['searches', { queries: 2000 }, { measures: { queries: 3 } }, 3000],
    ['the fee of a call', { request: 5000 }, {}, 2500],
    ['tokens of sound at their own price', { input: 2, audio_input: 6 }, { soundTokens: 1000 }, 3000],
    ['pictures to be changed at their own price', { input: 2, image_input: 10 }, { pictureTokens: 1000 }, 5000],
    ['a prompt that may be sound', { input: 2, audio_input: 40 }, { promptTokens: 10, mayHoldAudio: true }, 200],
  ])('holds %s', (_, rates, changes, quota) => {
    const expected = { promptTokens: 0, outputTokens: 0, leastTokens: 0, ...changes }
    expect(reservation(expected, listPrice(rates))).toBe(quota)
  })

  it('is never less than the charge for the measures and pictures that were expected', () => {
    const rate = fc.double({ min: 0, max: 5000, noNaN: true })
    const count = fc.nat(100_000)
    const sizes = ['1024x1024', '1024x1536 high', 'high']
    const cases = fc.record({
      rates: fc.record({
        duration: rate,
        characters: rate,
        pages: rate,
        queries: rate,
        request: rate,
        picture: rate,
        input: rate,
        audio_input: rate,
      }),
      measures: fc.record({ duration: count, characters: count, pages: count, queries: count }),
      prices: fc.array(rate, { minLength: 3, maxLength: 3 }),
      size: fc.constantFrom('1024x1024', '1024x1536', '7x7'),
      quality: fc.constantFrom('high', 'low'),
      draws: fc.boolean(),
      soundTokens: count,
    })
    fc.assert(
      fc.property(cases, ({ rates, measures, prices, size, quality, draws, soundTokens }) => {
        const pictures = Object.fromEntries(sizes.map((name, index) => [name, prices[index] ?? 0]))
        const price = listPrice(rates, { pictures })
        const images = { count: 3, ratio: 2, size, quality }
        const usage = { ...noUsage, audioInput: soundTokens, measures, ...(draws ? { images } : {}) }
        const held = reservation(
          {
            promptTokens: 0,
            outputTokens: 0,
            leastTokens: 0,
            measures,
            soundTokens,
            ...(draws ? { images: { ...images, tokens: 0 } } : {}),
          },
          price,
        )
        expect(held).toBeGreaterThanOrEqual(cost(usage, price))
      }),
    )
  })

  it('is never less than the charge for the expected usage', () => {
    const ratio = fc.record({ digits: fc.bigInt(0n, 500n), scale: fc.integer({ min: 0, max: 3 }) })
    const count = fc.nat(200_000)
    fc.assert(
      fc.property(
        ratio,
        ratio,
        ratio,
        count,
        count,
        fc.integer({ min: 1, max: 128 }),
        (model, completion, group, ...counts) => {
          const [promptTokens, outputTokens, answers] = counts
          const usual = priceOf('gpt-4o')
          const rates = { ...usual.rates, output: completion }
          const price = { ...usual, unit: model, rates, groupRatio: group }
          const usage = { ...noUsage, input: promptTokens, output: outputTokens * answers }
          const held = reservation({ promptTokens, outputTokens, answers, leastTokens: 0 }, price)
          expect(held).toBeGreaterThanOrEqual(cost(usage, price))
        },
      ),
    )
  })
})
