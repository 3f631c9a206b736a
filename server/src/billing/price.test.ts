import { expect, it } from 'vitest'
import { listPrice, priceOf } from '../../test/support/billing/price.ts'
import { decimal } from './decimal.ts'
import { costsNothing } from './price.ts'

const free = priceOf('gpt-4o', { modelRatio: { 'gpt-4o': 0 } })

it.each([
  ['a model ratio of 0', free, true],
  ['a price of 0 per call', { ...free, unit: decimal(1), perCall: decimal(0) }, true],
  ['a price per call', { ...free, perCall: decimal(0.1) }, false],
  ['a group ratio of 0', { ...priceOf('gpt-4o'), groupRatio: decimal(0) }, true],
  ['ratios', priceOf('gpt-4o'), false],
  ['pictures that are sold apiece', { ...free, unit: decimal(1), pictures: { hd: decimal(1) } }, false],
])('%s', (_, price, expected) => expect(costsNothing(price)).toBe(expected))

it('a list whose longer prompts alone cost something', () => {
  const zero = { ...listPrice({ input: 1, output: 2 }).rates }
  const rates = Object.fromEntries(Object.keys(zero).map((name) => [name, decimal(0)])) as typeof zero
  const price = { ...listPrice({ input: 1, output: 2 }), rates }
  expect(costsNothing({ ...price, contexts: [], inTiers: {}, pictures: {} })).toBe(true)
  expect(costsNothing({ ...price, contexts: [{ above: 1000, rates: zero }], inTiers: {}, pictures: {} })).toBe(false)
})
