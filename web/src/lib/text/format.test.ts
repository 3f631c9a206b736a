import { describe, expect, it } from 'vitest'
import {
  formatCallMoney,
  formatChange,
  formatCompact,
  formatDateTime,
  formatDuration,
  formatExactQuota,
  formatMoney,
  formatPercent,
  formatQuota,
  formatRelative,
  formatSuccess,
  formatSum,
} from './format.ts'

describe('money', () => {
  it.each([
    [1204.1, '$1,204.10'],
    [0, '$0.00'],
    [0.5, '$0.50'],
    [0.0131, '$0.0131'],
    [0.000123, '$0.000123'],
    [-0.002, '−$0.002'],
  ])('shows %d with the digits that matter', (amount, text) => expect(formatMoney(amount)).toBe(text))
})

describe('compact numbers', () => {
  it.each([
    [9_999, '9,999'],
    [10_000, '10k'],
    [12_345, '12.3k'],
    [999_960, '1M'],
    [41_800_000, '41.8M'],
    [1_500_000_000, '1.5B'],
    [-20_000, '-20k'],
  ])('shortens %d only from ten thousand', (value, text) => expect(formatCompact(value)).toBe(text))
})

it('shows quota in the unit of the site, exactly on request', () => {
  const display = { quota_per_unit: 500_000, display_in_currency: true }
  expect(formatQuota(250_000, display)).toBe('$0.50')
  expect(formatExactQuota(1, display)).toBe('$0.000002')
  expect(formatQuota(250_000, { ...display, display_in_currency: false })).toBe('250k')
  expect(formatExactQuota(250_001, { ...display, display_in_currency: false })).toBe('250,001')
})

it('writes moments in the chosen zone', () => {
  expect(formatDateTime(1_763_640_841, 'UTC')).toBe('2025-11-20 12:14:01')
  expect(formatDateTime(1_763_640_841, 'Asia/Shanghai')).toBe('2025-11-20 20:14:01')
})

it('shows distances in the language of the reader', () => {
  expect(formatRelative(1000 - 180, 1000, 'zh')).toBe('3分钟前')
  expect(formatRelative(1000 + 7200, 1000, 'en')).toBe('in 2 hours')
})

it.each([
  [0, '0.00 s'],
  [920, '0.92 s'],
  [61_000, '61.00 s'],
  [99_990, '99.99 s'],
  [99_999, '1 min 40 s'],
  [134_000, '2 min 14 s'],
  [3_599_600, '1 h 00 min'],
  [3_720_000, '1 h 02 min'],
])('writes durations as seconds, then as minutes, then as hours: %d', (ms, text) =>
  expect(formatDuration(ms)).toBe(text),
)

it.each([
  [0, '$0.00'],
  [1.467, '$1.47'],
  [0.01, '$0.01'],
  [0.004, '$0.004'],
  [-0.00456789, '−$0.004568'],
  [0.000002, '$0.000002'],
  [0.0099999, '$0.01'],
  [-4.1, '−$4.10'],
  [1204.1, '$1,204.10'],
])('writes sums with two decimals, and below a cent with four significant digits: %d', (amount, text) =>
  expect(formatSum(amount)).toBe(text),
)

it('writes the cost of a call with six decimals, so that a column lines up', () => {
  expect([0.021396, 0.1, -1204].map(formatCallMoney)).toEqual(['$0.021396', '$0.100000', '−$1,204.000000'])
})

it('writes each kind of share in one form', () => {
  expect([0.397, 1, 0].map((share) => formatPercent(share))).toEqual(['39.7%', '100.0%', '0.0%'])
  expect(formatPercent(0.944, 0)).toBe('94%')
  expect([0.108, 0, -0.03].map(formatChange)).toEqual(['+10.8%', '0.0%', '−3.0%'])
})

it('calls nothing a complete success that failed once', () => {
  expect([0.99999, 0.9994, 1].map(formatSuccess)).toEqual(['99.99%', '99.94%', '100.00%'])
})
