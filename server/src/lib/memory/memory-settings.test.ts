import { expect, it } from 'vitest'
import { memoryLimit, shareVariable, workerShare } from './memory-limit.ts'
import { memorySettings } from './memory-settings.ts'

const mebibyte = 1024 * 1024

it.each([
  // V8 ends a program that has less while it starts.
  [96, ['--max-semi-space-size=4', '--max-old-space-size=96']],
  [256, ['--max-semi-space-size=4', '--max-old-space-size=96']],
  [512, ['--max-semi-space-size=16', '--max-old-space-size=256']],
  [1024, ['--max-semi-space-size=32', '--heap-growing-percent=100']],
  [24_576, ['--max-semi-space-size=32', '--heap-growing-percent=100']],
])('%i MiB get the heap of their size', (limit, flags) => {
  expect(memorySettings(limit * mebibyte).flags).toEqual(flags)
})

it('workers share what the process that supervises them leaves, and each knows its share', () => {
  expect(workerShare(512 * mebibyte, 2)).toBe(224 * mebibyte)
  expect(2 * workerShare(128 * mebibyte, 2)).toBe(96 * mebibyte)
  const all = memoryLimit()
  try {
    process.env[shareVariable] = String(224 * mebibyte)
    expect(memoryLimit()).toBe(224 * mebibyte)
    process.env[shareVariable] = String(all * 2)
    expect(memoryLimit()).toBe(all)
  } finally {
    delete process.env[shareVariable]
  }
  expect(memoryLimit()).toBe(all)
})
