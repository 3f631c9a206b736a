import fc from 'fast-check'
import { expect, it } from 'vitest'
import { reservation } from './reserve.ts'
import { priceOf } from './testing-price.ts'

const preConsumedTokens = 500

it.each([
  ['example 8: trunc((50 + 1000) × 1.25)', 'gpt-4o', 50, 1000, 1312],
  ['example 9: trunc(500 × 1.25)', 'gpt-4o', 50, 0, 625],
  ['a fixed price: 0.1 × 500000, whatever the tokens', 'mj_imagine', 50, 1000, 50_000],
  ['a negative maximum counts as none', 'gpt-4o', 50, -1_000_000, 625],
  ['a fraction counts as its whole part: trunc(60 × 1.25)', 'gpt-4o', 50, 10.9, 75],
  ['an absurd maximum asks for everything', 'gpt-4o', 50, 1e300, Number.MAX_SAFE_INTEGER],
])('reserves for %s', (_, model, promptTokens, maxTokens, quota) => {
  expect(reservation({ promptTokens, maxTokens, preConsumedTokens }, priceOf(model))).toBe(quota)
})

it.each([
  ['a dearer tier: trunc(500 × 1.25 × 1.7)', 'priority', 1062],
  ['a cheaper tier, which may not be granted: as the standard one', 'flex', 625],
  ['a tier nobody knows', 'constructor', 625],
])('reserves for %s', (_, tier, quota) => {
  const price = priceOf('gpt-4o', { tierRatios: { 'priority:gpt-4o*': 1.7, flex: 0.5 } })
  expect(reservation({ promptTokens: 5, maxTokens: 0, preConsumedTokens, tier }, price)).toBe(quota)
})

it.each([
  ['two pictures by ratio: 2 × 1250 × 0.5 × 2', 1, { count: 2, ratio: 0.5, tokens: 1600 }, 2500],
  ['pictures whose tokens may be told: (500 + 2 × 1600 × 8) × 2', 8, { count: 2, ratio: 0.5, tokens: 1600 }, 52_200],
  ['none', 1, { count: 0, ratio: 1, tokens: 1600 }, 1000],
])('reserves for %s', (_, completion, images, quota) => {
  const price = priceOf('drawer', { modelRatio: { drawer: 2 }, completionRatio: { drawer: completion } })
  expect(reservation({ promptTokens: 5, maxTokens: 0, preConsumedTokens, images }, price)).toBe(quota)
})

it('never reserves less than nothing or more than a number can hold, whatever the client sends', () => {
  fc.assert(
    fc.property(fc.double(), fc.double(), (promptTokens, maxTokens) => {
      const quota = reservation({ promptTokens, maxTokens, preConsumedTokens }, priceOf('gpt-4'))
      expect(Number.isSafeInteger(quota) && quota >= 0).toBe(true)
    }),
  )
})
