import fc from 'fast-check'
import { expect, it } from 'vitest'
import { paidUntil, paymentsOf, unusedQuota, withoutPayments, withPayments } from './payments.ts'

const payment = { requestId: 'r', quota: 1000, from: 10_000, to: 20_000 }

it('gives back the time that is left, rounded down', () => {
  expect(unusedQuota(payment, 0)).toBe(1000)
  expect(unusedQuota(payment, 10_000)).toBe(1000)
  expect(unusedQuota(payment, 17_501)).toBe(249)
  expect(unusedQuota(payment, 20_000)).toBe(0)
  expect(unusedQuota({ ...payment, to: 10_000 }, 5)).toBe(0)
})

it('never gives back more than was paid, and no more later than sooner', () => {
  const payments = fc.record({
    quota: fc.integer({ min: 0, max: 2 ** 40 }),
    from: fc.integer({ min: 0, max: 1e9 }),
    life: fc.integer({ min: 1, max: 1e12 }),
    now: fc.integer({ min: 0, max: 1e12 }),
    later: fc.integer({ min: 0, max: 1e9 }),
  })
  fc.assert(
    fc.property(payments, ({ quota, from, life, now, later }) => {
      const paid = { requestId: 'r', quota, from, to: from + life }
      const back = unusedQuota(paid, now)
      expect(back).toBeGreaterThanOrEqual(unusedQuota(paid, now + later))
      expect(back).toBeLessThanOrEqual(quota)
      expect(back).toBeGreaterThanOrEqual(0)
    }),
    { numRuns: 100 },
  )
})

it('is kept beside the members of the provider', () => {
  const stored = withPayments({ name: 'cachedContents/a' }, [payment])
  expect([paymentsOf(stored), withoutPayments(stored)]).toEqual([[payment], { name: 'cachedContents/a' }])
  expect(paymentsOf({ name: 'cachedContents/a' })).toEqual([])
  expect([paidUntil([payment], 5), paidUntil([payment], 30_000), paidUntil([], 7)]).toEqual([20_000, 30_000, 7])
})
