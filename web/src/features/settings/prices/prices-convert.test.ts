import { expect, it } from 'vitest'
import { priceOfRatio, ratioOfPrice, readNumber, relativeOfPrice, relativePrice, rescaled } from './prices-convert.ts'

const perUnit = 500_000

it('takes plain numbers only', () => {
  expect(['1', ' 0.5 ', '.5', '3.', '0'].map(readNumber)).toEqual([1, 0.5, 0.5, 3, 0])
  expect([readNumber(''), readNumber('  ')]).toEqual([null, null])
  expect(['-1', '1e3', '1,5', 'abc', '1.2.3', 'NaN'].map(readNumber)).toEqual(Array.from({ length: 6 }))
})

it('takes no number that computing would lose, rather than make the model free', () => {
  expect(['9007199254740991', '9'.repeat(30), '9'.repeat(400)].map(readNumber)).toEqual([
    Number.MAX_SAFE_INTEGER,
    undefined,
    undefined,
  ])
})

it('converts a price to its ratio and back without losing a digit', () => {
  for (const price of [0.3, 2.5, 0.075, 0.1, 15, 0.000001, 123.456789, 0.07, 1.1, 60]) {
    const ratio = ratioOfPrice(price, perUnit)
    expect(Number(priceOfRatio(ratio, perUnit))).toBe(price)
  }
  expect(ratioOfPrice(0.3, perUnit)).toBe(0.15)
  expect(ratioOfPrice(2.2, perUnit)).toBe(1.1)
  expect(priceOfRatio(0.1, 1_000_000)).toBe('0.1')
})

it('converts every whole cent up to a hundred dollars there and back', () => {
  for (let cents = 1; cents <= 10_000; cents += 7) {
    const price = cents / 100
    expect(Number(priceOfRatio(ratioOfPrice(price, perUnit), perUnit))).toBe(price)
  }
})

it('relates other prices to the input price, also where the quotient never ends', () => {
  expect(relativeOfPrice(10, 1.25, perUnit)).toBe(4)
  expect(relativePrice(1.25, 4, perUnit)).toBe('10')
  const third = relativeOfPrice(2, 0.75, perUnit)
  expect(third).toBeCloseTo(4 / 3, 15)
  expect(relativePrice(0.75, third ?? 0, perUnit)).toBe('2')
  expect(relativeOfPrice(1, 0, perUnit)).toBeUndefined()
})

it('keeps the other prices when the input price changes', () => {
  expect(rescaled(4, 1.25, 2.5)).toBe(2)
  expect(relativePrice(1.5, rescaled(0.5, 1.25, 1.5), perUnit)).toBe('1.25')
})
