import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createBoundedCache } from './bounded-cache.ts'

it('keeps what is in use however many others pass', () => {
  const cache = createBoundedCache<string, number>({ entries: 3 })
  cache.set('used', 1)
  for (let other = 0; other < 1000; other += 1) {
    expect(cache.get('used')).toBe(1)
    cache.set(`other ${other}`, other)
  }
  expect(cache.size).toBe(3)
  expect(cache.get('other 999')).toBe(999)
  expect(cache.has('other 1')).toBe(false)
})

it('forgets the oldest of what nobody used', () => {
  const cache = createBoundedCache<number, number>({ entries: 3 })
  for (const key of [1, 2, 3, 4, 5]) cache.set(key, key)
  expect([...cache.entries()].map(([key]) => key)).toEqual([3, 4, 5])
})

it('holds a bound of bytes, and does not keep what exceeds it alone', () => {
  const cache = createBoundedCache<string, string>({
    entries: 100,
    bytes: { most: 10, bytesOf: (text) => text.length },
  })
  cache.set('a', '12345')
  cache.set('b', '12345')
  cache.set('c', '123')
  expect([...cache.entries()]).toEqual([
    ['b', '12345'],
    ['c', '123'],
  ])
  cache.set('b', '12345678901')
  expect(cache.has('b')).toBe(false)
  expect(cache.get('c')).toBe('123')
})

it('may be bounded by bytes alone', () => {
  const cache = createBoundedCache<number, number>({ bytes: { most: 1_000, bytesOf: (value) => value } })
  for (let key = 0; key < 2_000; key += 1) cache.set(key, 1)
  expect(cache.size).toBe(1_000)
  expect(cache.has(999)).toBe(false)
})

it('gives back what was set last, within its bounds, after any history', () => {
  const key = fc.integer({ min: 0, max: 12 })
  const step = fc.oneof(
    { weight: 6, arbitrary: fc.record({ do: fc.constant('set' as const), key, value: fc.nat(9) }) },
    { weight: 4, arbitrary: fc.record({ do: fc.constant('get' as const), key }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('delete' as const), key }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('clear' as const) }) },
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), fc.integer({ min: 1, max: 8 }), (steps, entries) => {
      const bytes = { most: 20, bytesOf: (value: number) => value }
      const cache = createBoundedCache<number, number>({ entries, bytes })
      const truth = new Map<number, number>()
      for (const one of steps) {
        if (one.do === 'set') {
          cache.set(one.key, one.value)
          truth.set(one.key, one.value)
          // The newest entry is never evicted.
          expect(cache.has(one.key)).toBe(true)
        } else if (one.do === 'get') {
          const found = cache.get(one.key)
          if (found !== undefined) expect(found).toBe(truth.get(one.key))
        } else if (one.do === 'delete') {
          cache.delete(one.key)
          truth.delete(one.key)
        } else {
          cache.clear()
          truth.clear()
        }
        const held = [...cache.entries()]
        expect(held.length).toBe(cache.size)
        expect(held.length).toBeLessThanOrEqual(entries)
        expect(held.reduce((sum, [, value]) => sum + value, 0)).toBeLessThanOrEqual(20)
        for (const [held_, value] of held) expect(truth.get(held_)).toBe(value)
      }
    }),
  )
})
