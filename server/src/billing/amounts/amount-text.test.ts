import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { amountText, dollarsOf } from './amount-text.ts'

it.each([
  [500_000, { inCurrency: true, quotaPerUnit: 500_000 }, '＄1.000000 额度'],
  [-1, { inCurrency: true, quotaPerUnit: 500_000 }, '＄-0.000002 额度'],
  [123, { inCurrency: false, quotaPerUnit: 500_000 }, '123 点额度'],
])('writes %s with %o as %s', (quota, style, text) => expect(amountText(quota, style)).toBe(text))

const charge = (quota: number, unit = '500000') => ({ quota, quota_per_unit: unit })

describe('a charge in dollars', () => {
  it.each([
    [charge(0), '0'],
    [charge(1), '0.000002'],
    [charge(12_345), '0.02469'],
    [charge(500_000), '1'],
    [charge(Number.MAX_SAFE_INTEGER), '18014398509.481982'],
    [charge(3, '7.5'), '0.4'],
    [charge(1, '300000'), '0.000003333333333333'],
    [charge(2, '300000'), '0.000006666666666667'],
  ])('%j is %s', (of, text) => {
    expect(dollarsOf(of)).toBe(text)
  })

  it('times the units of a dollar is the charge again, and a number of JSON says the same text', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 10 ** 12 }),
        fc.constantFrom('500000', '1000000', '300000', '7', '333333.5'),
        (quota, unit) => {
          const text = dollarsOf({ quota, quota_per_unit: unit })
          expect(text).toMatch(/^(0|[1-9]\d*)(\.\d*[1-9])?$/)
          expect(Math.round(Number(text) * Number(unit))).toBe(quota)
          expect(JSON.parse(text)).toBe(Number(text))
        },
      ),
    )
  })
})
