import { expect, it } from 'vitest'
import { openReservedMemory } from '../../lib/memory/reserved-memory.ts'
import { openSocketPlaces } from './socket-places.ts'

const gibibyte = 1024 ** 3

it('bounds the sockets of a user over all keys, and those of a key', () => {
  const places = openSocketPlaces(openReservedMemory(8 * gibibyte))
  const taken = Array.from({ length: 512 }, (_, tokenId) => places.take({ userId: 1, tokenId }))
  expect(() => places.take({ userId: 1, tokenId: 9999 })).toThrow('Too many requests')
  places.take({ userId: 2, tokenId: 9999 }, 1)
  expect(() => places.take({ userId: 2, tokenId: 9999 }, 1)).toThrow('Too many requests')
  taken[0]?.leave()
  taken[0]?.leave()
  places.take({ userId: 1, tokenId: 1 })
  expect(() => places.take({ userId: 1, tokenId: 1 })).toThrow('Too many requests')
})

it('counts each in the memory, which bounds them earlier on a small machine', () => {
  const memory = openReservedMemory(gibibyte / 16)
  const places = openSocketPlaces(memory)
  const most = Math.floor(memory.largest / (16 * 1024))
  const taken = Array.from({ length: most }, () => places.take({ userId: 1, tokenId: 1 }))
  expect(() => places.take({ userId: 1, tokenId: 1 })).toThrow('Too many large requests')
  for (const place of taken) place.leave()
  expect(memory.share(1).mostBytes).toBe(memory.largest)
})
