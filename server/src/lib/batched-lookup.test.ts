import { expect, it } from 'vitest'
import { batchedLookup } from './batched-lookup.ts'

it('reads what comes during a read with the next one, each key once and no more than it may', async () => {
  const reads: (readonly number[])[] = []
  const look = batchedLookup(async (keys: readonly number[]) => {
    reads.push(keys)
    await new Promise(setImmediate)
    return new Map(keys.filter((key) => key % 2 === 0).map((key) => [key, `found ${key}`]))
  }, 3)
  const found = await Promise.all([1, 2, 2, 3, 4].map(look))
  expect(found).toEqual([undefined, 'found 2', 'found 2', undefined, 'found 4'])
  expect(reads).toEqual([[1], [2, 3], [4]])
})

it('goes on after a read that failed', async () => {
  let isBroken = true
  const look = batchedLookup(async (keys: readonly number[]) => {
    if (isBroken) throw new Error('no connection')
    return new Map(keys.map((key) => [key, key]))
  }, 2)
  await expect(Promise.all([look(1), look(2)])).rejects.toThrow('no connection')
  isBroken = false
  expect(await look(3)).toBe(3)
})
