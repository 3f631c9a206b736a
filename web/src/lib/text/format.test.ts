import { describe, expect, it } from 'vitest'
import {
  formatCompact,
  formatDateTime,
  formatDuration,
  formatExactQuota,
  formatMoney,
  formatQuota,
  formatRelative,
} from './format.ts'

describe('money', () => {
  it.each([
    [1204.1, '$1,204.10'],
    [0, '$0.00'],
    [0.5, '$0.50'],
    [0.0131, '$0.0131'],
    [0.000123, '$0.000123'],
    [-0.002, '-$0.002'],
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
  [840, '840 ms'],
  [1240, '1.24 s'],
  [61_000, '1 min 1 s'],
])('writes durations for people: %d', (ms, text) => expect(formatDuration(ms)).toBe(text))
