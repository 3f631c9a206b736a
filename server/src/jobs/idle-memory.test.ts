import { expect, it } from 'vitest'
import { collectWhenIdle } from './idle-memory.ts'

const mebibyte = 1024 * 1024
const heapTotal = (): number => process.memoryUsage().heapTotal

it('gives back what a load has left behind', async () => {
  let garbage: string[][] = Array.from({ length: 400 }, (_, at) =>
    Array.from({ length: 4000 }, (_, place) => `${at} ${place}`),
  )
  expect(garbage.length).toBe(400)
  const loaded = heapTotal()
  garbage = []
  const stop = collectWhenIdle({ everyMs: 100 })
  await expect.poll(heapTotal).toBeLessThan(loaded - 50 * mebibyte)
  stop()
})
