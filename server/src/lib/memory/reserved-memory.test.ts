import fc from 'fast-check'
import { expect, it } from 'vitest'
import { openReservedMemory } from './reserved-memory.ts'

const mebibyte = 1024 * 1024

it('leaves one user 5.8 MiB in 256, and nearly everything of a large machine', () => {
  expect(openReservedMemory(256 * mebibyte).largest / mebibyte).toBeCloseTo(5.76, 1)
  expect(openReservedMemory(16 * 1024 * mebibyte).largest / mebibyte).toBeGreaterThan(2300)
})

it('counts what calls hold, and gives back what a call held once', () => {
  const memory = openReservedMemory(256 * mebibyte)
  const [first, second] = [memory.share(1), memory.share(1)]
  first.hold(2 * mebibyte)
  first.hold(4 * mebibyte)
  expect(() => second.hold(3 * mebibyte)).toThrow('Too many large requests')
  second.hold(1 * mebibyte)
  first.end()
  first.end()
  second.hold(5 * mebibyte)
})

it('leaves something for others when one user has all that one may', () => {
  const memory = openReservedMemory(256 * mebibyte)
  memory.share(1).hold(memory.largest)
  expect(() => memory.share(1).hold(1)).toThrow('Too many large requests')
  const other = memory.share(2)
  expect(other.mostBytes / memory.largest).toBeCloseTo(1 / 3, 5)
  other.hold(other.mostBytes)
  expect(() => memory.share(3).hold(1)).toThrow('Too many large requests')
})

it('refuses what it has room for while the process itself has no memory, but for what is small', () => {
  let isPressed = true
  const memory = openReservedMemory(256 * mebibyte, { allows: () => !isPressed })
  const share = memory.share(1)
  share.hold(16 * 1024)
  expect(() => share.hold(16 * 1024 + 1)).toThrow('Too many large requests')
  isPressed = false
  share.hold(mebibyte)
  isPressed = true
  share.hold(mebibyte / 2)
})

it('never goes above its bounds, and is empty when everything was given back', () => {
  const step = fc.record({ user: fc.nat(3), share: fc.nat(5), bytes: fc.nat(3 * mebibyte) })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const memory = openReservedMemory(256 * mebibyte)
      const shares = [0, 1, 2, 3].map((user) => Array.from({ length: 6 }, () => memory.share(user)))
      const held = shares.map((own) => own.map(() => 0))
      for (const { user, share, bytes } of steps) {
        try {
          shares[user]?.[share]?.hold(bytes)
          const own = held[user]
          if (own !== undefined) own[share] = bytes
        } catch {
          // Refused: nothing has changed.
        }
        const sums = held.map((own) => own.reduce((sum, each) => sum + each, 0))
        expect(Math.max(...sums)).toBeLessThanOrEqual(memory.largest)
        expect(sums.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(Math.ceil(memory.largest / 0.75))
      }
      for (const share of shares.flat()) share.end()
      expect(memory.share(9).mostBytes).toBe(memory.largest)
    }),
  )
})
