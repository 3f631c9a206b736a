import { expect, it } from 'vitest'
import { memorySettings } from './memory-settings.ts'

const mebibyte = 1024 * 1024

it.each([
  [256, ['--max-semi-space-size=4', '--max-old-space-size=92']],
  [512, ['--max-semi-space-size=16', '--max-old-space-size=256']],
  [1024, ['--max-semi-space-size=64']],
  [24_576, ['--max-semi-space-size=64']],
])('%i MiB get the heap of their size', (limit, flags) => {
  expect(memorySettings(limit * mebibyte).flags).toEqual(flags)
})
