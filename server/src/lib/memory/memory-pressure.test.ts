import { expect, it } from 'vitest'
import { openMemoryPressure } from './memory-pressure.ts'
import { usedMemory } from './used-memory.ts'

const open = () => {
  const machine = { used: 50, garbage: 0, now: 0, collections: 0 }
  const pressure = openMemoryPressure({
    limit: 100,
    used: () => machine.used + machine.garbage,
    collect() {
      machine.collections += 1
      machine.garbage = 0
    },
    now: () => machine.now,
  })
  return { machine, pressure }
}

it('allows what fits below 85 % of the limit, with what was promised since it was measured', () => {
  const { machine, pressure } = open()
  expect(pressure.allows(30, 0)).toBe(true)
  expect(pressure.allows(5, 30)).toBe(true)
  machine.used = 80
  expect(pressure.allows(6, 30)).toBe(false)
})

it('collects what calls have left before it refuses, and not again at once', () => {
  const { machine, pressure } = open()
  machine.garbage = 30
  expect(pressure.allows(20, 0)).toBe(true)
  expect(machine.collections).toBe(1)
  machine.garbage = 30
  machine.now = 1000
  expect(pressure.allows(20, 0)).toBe(false)
  machine.now = 2001
  expect(pressure.allows(20, 0)).toBe(true)
  expect(machine.collections).toBe(2)
})

it('measures this process', () => {
  const before = usedMemory()
  // An allocation may first free as much garbage of other tests in this process, so there are some of them.
  const filled: Buffer[] = []
  while (filled.length < 8 && usedMemory() - before <= 48 * 1024 * 1024) filled.push(Buffer.alloc(128 * 1024 * 1024, 1))
  expect(usedMemory() - before).toBeGreaterThan(48 * 1024 * 1024)
  expect(filled.length).toBeGreaterThan(0)
})
