import { expect, it } from 'vitest'
import { createMemoryRateLimiter } from './rate-limit.ts'

const limit = { enabled: true, count: 3, seconds: 10 }

it('lets the agreed number through and slides with the time', () => {
  let now = 0
  const limiter = createMemoryRateLimiter({ clock: () => now })
  const takes = (at: number) => {
    now = at
    return limiter.take('GA1.2.3.4', limit)
  }
  expect([0, 1000, 2000, 2500].map(takes)).toEqual([true, true, true, false])
  expect(takes(9999)).toBe(false)
  expect(takes(10_000)).toBe(true)
  expect(takes(10_500)).toBe(false)
  expect(takes(11_000)).toBe(true)
})

it('counts keys apart and nothing when switched off', () => {
  const limiter = createMemoryRateLimiter({ clock: () => 0 })
  for (let call = 0; call < 3; call += 1) limiter.take('a', limit)
  expect(limiter.take('a', limit)).toBe(false)
  expect(limiter.take('b', limit)).toBe(true)
  expect(limiter.take('a', { ...limit, enabled: false })).toBe(true)
})

it('forgets the key unused for longest when there are too many', () => {
  const limiter = createMemoryRateLimiter({ clock: () => 0, maxKeys: 2 })
  const once = { enabled: true, count: 1, seconds: 10 }
  limiter.take('a', once)
  limiter.take('b', once)
  expect(limiter.take('a', once)).toBe(false)
  limiter.take('c', once)
  expect(limiter.take('a', once)).toBe(false)
  expect(limiter.take('b', once)).toBe(true)
})
