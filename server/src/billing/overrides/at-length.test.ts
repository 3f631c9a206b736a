import { expect, it } from 'vitest'
import { listPrice } from '../../../test/support/billing/price.ts'
import { cost } from '../cost.ts'
import { noUsage } from '../usage.ts'
import { priceAtLength } from './at-length.ts'

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
