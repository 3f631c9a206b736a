import { expect, it } from 'vitest'
import { testRateLimiter } from '../../../test/support/limits/limiter.ts'
import { createSensitiveCalls } from './sensitive-calls.ts'

const setUp = () => {
  const calls = createSensitiveCalls(testRateLimiter({ clock: () => 0 }))
  /** How many of so many calls, one after the other, were let through. */
  const letThrough = async (
    kind: Parameters<typeof calls.take>[0],
    count: number,
    { succeeded = false, address = 'office', userId = undefined as number | undefined } = {},
  ): Promise<number> => {
    let through = 0
    for (let call = 0; call < count; call += 1) {
      const ended = await calls.take(kind, { address, userId })
      if (ended === undefined) continue
      through += 1
      await ended(succeeded)
    }
    return through
  }
  return { calls, letThrough }
}

it('lets an address fail 200 proofs, and succeed as often as it likes', async () => {
  const { letThrough } = setUp()
  expect(await letThrough('proof', 1000, { succeeded: true })).toBe(1000)
  expect(await letThrough('proof', 300)).toBe(200)
  expect(await letThrough('proof', 1, { address: 'elsewhere' })).toBe(1)
})

it('counts callers with a session apart from others at the same address', async () => {
  const { letThrough } = setUp()
  await letThrough('proof', 300)
  await letThrough('mail', 100)
  expect(await letThrough('proof', 1, { userId: 7 })).toBe(1)
  expect(await letThrough('mail', 100, { userId: 7 })).toBe(60)
})

it('sends 60 mails for an address and begins 200 proofs, however they end', async () => {
  const { letThrough } = setUp()
  expect(await letThrough('mail', 100, { succeeded: true })).toBe(60)
  expect(await letThrough('begin', 300, { succeeded: true })).toBe(200)
})

it('lets an address make 30 accounts, with or without sessions, however many forms were refused before', async () => {
  const { letThrough } = setUp()
  expect(await letThrough('register', 100)).toBe(100)
  expect(await letThrough('register', 20, { succeeded: true })).toBe(20)
  expect(await letThrough('register', 20, { succeeded: true, userId: 7 })).toBe(10)
  expect(await letThrough('proof', 300)).toBe(100)
})

it('counts what is under way, so that calls at once gain nothing', async () => {
  const { calls } = setUp()
  const by = { address: 'office', userId: undefined }
  const taken = await Promise.all(Array.from({ length: 100 }, () => calls.take('register', by)))
  expect(taken.filter((ended) => ended !== undefined)).toHaveLength(30)
})
