import { expect, it } from 'vitest'
import { openMemoryRateLimit } from './rate-limit.ts'

it('lets the next one in when the oldest leaves the window', () => {
  let now = 0
  const limit = openMemoryRateLimit(() => now)
  const limits = { minutes: 1, count: 2, successCount: 0 }
  const at = (time: number) => {
    now = time
    return limit.enter(1, limits)
  }
  expect([at(0), at(30_000), at(40_000), at(59_999), at(60_000), at(60_001)]).toEqual([
    'allowed',
    'allowed',
    'total',
    'total',
    'allowed',
    'total',
  ])
  expect(limit.enter(2, limits)).toBe('allowed')
})

it('counts successes apart from requests', () => {
  const limit = openMemoryRateLimit(() => 5)
  const limits = { minutes: 1, count: 0, successCount: 1 }
  expect(limit.enter(1, limits)).toBe('allowed')
  expect(limit.enter(1, limits)).toBe('allowed')
  limit.succeeded(1, limits)
  expect(limit.enter(1, limits)).toBe('success')
})
