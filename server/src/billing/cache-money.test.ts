import { describe, expect, it } from 'vitest'
import { priceOf } from '../../test/support/billing/price.ts'
import { cacheMoney, cost } from './cost.ts'
import { noUsage, type Usage } from './usage.ts'

const usage = (input: number, cacheRead: number): Usage => ({ ...noUsage, input, cacheRead, output: 100 })

describe('what a cache comes to', () => {
  const price = priceOf('gpt-4o', { cacheRatio: { 'gpt-4o': 0.5 } })

  it('is the charge without it less the charge with it', () => {
    const withCache = cost(usage(1_000, 50_000), price)
    const without = cost(usage(51_000, 0), price)
    expect(cacheMoney(usage(1_000, 50_000), price, 0)).toEqual({ saved: without - withCache, lost: 0 })
    expect(without).toBeGreaterThan(withCache)
  })

  it('is lost where the cache was missed', () => {
    const whole = cost(usage(51_000, 0), price)
    const best = cost(usage(1_000, 50_000), price)
    expect(cacheMoney(usage(51_000, 0), price, 50_000)).toEqual({ saved: 0, lost: whole - best })
  })

  it('is nothing where calls have one price', () => {
    expect(cacheMoney(usage(1, 50_000), priceOf('m', { modelPrice: { m: 1 } }), 9)).toEqual({ saved: 0, lost: 0 })
  })
})
