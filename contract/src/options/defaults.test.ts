import { expect, it } from 'vitest'
import { pageSizes } from '../index.ts'
import { options } from './index.ts'

/** The defaults that the console's requirements name. The list is fixed: a new option is not added here. */
const figures = {
  QuotaPerUnit: 500_000,
  DataExportDefaultTime: 'hour',
  DataExportInterval: 5,
  ModelRequestRateLimitCount: 0,
  ModelRequestRateLimitSuccessCount: 1_000,
  ModelRequestRateLimitDurationMinutes: 1,
  'claude.thinking_adapter_enabled': true,
  'claude.thinking_adapter_budget_tokens_percentage': 0.8,
  'claude.default_max_tokens': { default: 8_192 },
  Price: 7.3,
  MinTopUp: 1,
  SMTPPort: 587,
} as const

it.each(Object.entries(figures))('%s begins with %j', (key, figure) => {
  expect(options[key as keyof typeof figures].fallback).toEqual(figure)
})

it('keeps the bounds of the settings screen', () => {
  const bounds = ({ min, max }: { min?: number; max?: number }) => [min, max]
  expect(bounds(options['claude.thinking_adapter_budget_tokens_percentage'])).toEqual([0.1, 1])
  expect(options.ModelRequestRateLimitDurationMinutes.min).toBe(0)
  expect(options.ModelRequestRateLimitCount.min).toBe(0)
  expect(options.ModelRequestRateLimitSuccessCount.min).toBe(1)
  expect(options.DataExportInterval.min).toBe(1)
  expect([options.ChannelDisableThreshold.min, options.QuotaRemindThreshold.min]).toEqual([0, 0])
})

it('has pages of the usual size', () => expect(pageSizes).toEqual([10, 20, 25, 50, 100]))
