import { expect, it } from 'vitest'
import { batchedLookup } from './batched-lookup.ts'

it('collects look-ups that arrive during a read into the next one, each key once, up to the limit', async () => {
  const reads: (readonly number[])[] = []
  const lookUp = batchedLookup(async (keys: readonly number[]) => {
    reads.push(keys)
    await new Promise(setImmediate)
    return new Map(keys.filter((key) => key % 2 === 0).map((key) => [key, `found ${key}`]))
  }, 3)
  const found = await Promise.all([1, 2, 2, 3, 4].map(lookUp))
  expect(found).toEqual([undefined, 'found 2', 'found 2', undefined, 'found 4'])
  expect(reads).toEqual([[1], [2, 3], [4]])
})

it('works after a read that failed', async () => {
  let isBroken = true
  const lookUp = batchedLookup(async (keys: readonly number[]) => {
    if (isBroken) throw new Error('no connection')
    return new Map(keys.map((key) => [key, key]))
  }, 2)
  await expect(Promise.all([lookUp(1), lookUp(2)])).rejects.toThrow('no connection')
  isBroken = false
  expect(await lookUp(3)).toBe(3)
})
