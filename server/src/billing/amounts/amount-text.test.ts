import { expect, it } from 'vitest'
import { amountText } from './amount-text.ts'

it.each([
  [500_000, { inCurrency: true, quotaPerUnit: 500_000 }, '＄1.000000 额度'],
  [-1, { inCurrency: true, quotaPerUnit: 500_000 }, '＄-0.000002 额度'],
  [123, { inCurrency: false, quotaPerUnit: 500_000 }, '123 点额度'],
])('writes %s with %o as %s', (quota, style, text) => expect(amountText(quota, style)).toBe(text))
