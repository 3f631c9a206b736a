import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { add, compare, decimal, multiply, print, roundHalfUp, roundUp, toNumber } from './decimal.ts'

const decimals = fc
  .tuple(fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n }), fc.integer({ min: 0, max: 18 }))
  .map(([digits, scale]) => ({ digits, scale }))
const smallDecimals = fc
  .tuple(fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }), fc.integer({ min: 0, max: 15 }))
  .map(([digits, scale]) => ({ digits, scale }))
const doubles = fc.double({ noNaN: true, noDefaultInfinity: true })

describe('reading', () => {
  it.each([
    [0.1, '0.1'],
    [1e-7, '0.0000001'],
    [1e21, '1000000000000000000000'],
    [1.3333333333333333, '1.3333333333333333'],
    ['-2.50', '-2.5'],
    ['+3.', '3'],
    ['12.5e2', '1250'],
    ['0.000', '0'],
    [-0, '0'],
  ])('reads %s as exactly %s', (value, text) => expect(print(decimal(value))).toBe(text))

  it.each([Number.NaN, Number.POSITIVE_INFINITY, '', 'ten', '1,5', '.5', '0x10', '1e9999', '9'.repeat(401)])(
    'refuses %s',
    (value) => expect(() => decimal(value)).toThrow(RangeError),
  )

  it('converts every finite number without loss', () => {
    fc.assert(fc.property(doubles, (value) => toNumber(decimal(value)) === value))
  })

  it('parses printed decimals to the same value', () => {
    fc.assert(fc.property(decimals, (value) => compare(decimal(print(value)), value) === 0))
  })
})

describe('arithmetic', () => {
  it('adds 0.1 and 0.2 to exactly 0.3', () => {
    expect(print(add(decimal(0.1), decimal(0.2)))).toBe('0.3')
  })

  it('multiplies and adds like the rational numbers behind it', () => {
    fc.assert(
      fc.property(decimals, decimals, decimals, (a, b, c) => {
        expect(compare(multiply(a, add(b, c)), add(multiply(a, b), multiply(a, c)))).toBe(0)
        expect(compare(multiply(a, b), multiply(b, a))).toBe(0)
        expect(Math.sign(compare(a, b))).toBe(-Math.sign(compare(b, a)) + 0)
      }),
    )
  })
})

describe('rounding', () => {
  it.each([
    ['0.5', 1, 1],
    ['-0.5', -1, 0],
    ['2.5', 3, 3],
    ['-2.5', -3, -2],
    ['0.49999999999999999999', 0, 1],
    ['5162.5', 5163, 5163],
    ['7', 7, 7],
    ['7.00', 7, 7],
  ])('rounds %s to %i and up to %i', (text, rounded, up) => {
    expect(roundHalfUp(decimal(text))).toBe(rounded)
    expect(roundUp(decimal(text)) + 0).toBe(up)
  })

  it('never moves by more than a half', () => {
    fc.assert(
      fc.property(smallDecimals, (value) => {
        const distance = add(multiply(value, decimal(-2)), decimal(2 * roundHalfUp(value)))
        expect(compare(distance, decimal(1))).toBeLessThanOrEqual(0)
        expect(compare(distance, decimal(-1))).toBeGreaterThanOrEqual(0)
      }),
      { examples: [[{ digits: 5n, scale: 1 }]] },
    )
  })

  it('throws instead of losing digits', () => {
    expect(roundHalfUp(decimal('9007199254740991.4'))).toBe(Number.MAX_SAFE_INTEGER)
    expect(() => roundHalfUp(decimal('9007199254740991.5'))).toThrow(RangeError)
    expect(() => roundUp(decimal('1e30'))).toThrow(RangeError)
  })
})
