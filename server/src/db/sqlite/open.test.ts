import { expect, it } from 'vitest'
import { fileMemoryFor } from './open.ts'

const mebibyte = 1024 * 1024

it.each([
  [256, 12],
  [512, 32],
  [24_576, 64],
])('with %i MiB the pages of all threads take at most %i', (limit, most) => {
  const { readers, readerCache, writerCache } = fileMemoryFor(limit * mebibyte)
  expect((writerCache + readers * readerCache) / 1024).toBe(most)
})
