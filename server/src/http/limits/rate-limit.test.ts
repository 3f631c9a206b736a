import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { redisHere, type TestRedis, testRedis } from '../../../test/support/lib/redis.ts'
import { openLog } from '../../lib/log.ts'
import { openSharedRedis, type SharedRedis } from '../../lib/redis/redis-client.ts'
import { createMemoryRateLimiter } from './rate-limit.ts'
import { createRedisRateLimiter } from './rate-limit-redis.ts'

const limit = { enabled: true, count: 3, seconds: 10 }
const start = 1_900_000_000_000

const lines: string[] = []
const log = openLog({ clock: Date.now, format: 'json', debug: false, print: (line) => lines.push(line) })
let server: TestRedis
let redis: SharedRedis

beforeAll(async () => {
  if (!redisHere) return console.warn('Redis is absent: limits that nodes share are not tested')
  server = await testRedis()
  await server.start()
  redis = await openSharedRedis({ url: server.url, log })
})

afterAll(async () => {
  redis?.close()
  await server?.stop()
})

const places = [
  { place: 'in memory', shared: false },
  { place: 'in Redis', shared: true },
]

describe.each(places.filter(({ shared }) => redisHere || !shared))('a limit $place', ({ shared }) => {
  const open = (clock: () => number) => {
    const alone = createMemoryRateLimiter({ clock })
    return shared ? createRedisRateLimiter({ redis, clock, alone }) : alone
  }

  it('lets the agreed number through and slides with the time', async () => {
    let now = start
    const limiter = open(() => now)
    const takes = async (at: number) => {
      now = start + at
      return limiter.take('GA1.2.3.4', limit)
    }
    const taken: boolean[] = []
    for (const at of [0, 1000, 2000, 2500, 9999, 10_000, 10_500, 11_000]) taken.push(await takes(at))
    expect(taken).toEqual([true, true, true, false, false, true, false, true])
  })

  it('counts keys apart and nothing when switched off', async () => {
    const limiter = open(() => start)
    for (let call = 0; call < 3; call += 1) await limiter.take('a', limit)
    expect(await limiter.take('a', limit)).toBe(false)
    expect(await limiter.take('b', limit)).toBe(true)
    expect(await limiter.take('a', { ...limit, enabled: false })).toBe(true)
  })

  it('takes back the latest call, and no more than there are', async () => {
    const limiter = open(() => start)
    for (let call = 0; call < 3; call += 1) await limiter.take('back', limit)
    await limiter.giveBack('back')
    await limiter.giveBack('never taken')
    expect([await limiter.take('back', limit), await limiter.take('back', limit)]).toEqual([true, false])
  })

  it('lets no more through when calls come at once', async () => {
    const limiter = open(() => start)
    const taken = await Promise.all(Array.from({ length: 40 }, () => limiter.take('at once', limit)))
    expect(taken.filter(Boolean)).toHaveLength(3)
  })
})

it('forgets the key unused for longest when there are too many', () => {
  const limiter = createMemoryRateLimiter({ clock: () => 0, maxKeys: 2 })
  const once = { enabled: true, count: 1, seconds: 10 }
  limiter.take('a', once)
  limiter.take('b', once)
  expect(limiter.take('a', once)).toBe(false)
  limiter.take('c', once)
  expect(limiter.take('a', once)).toBe(false)
  expect(limiter.take('b', once)).toBe(true)
})

describe.skipIf(!redisHere)('nodes with one Redis', () => {
  const node = () =>
    createRedisRateLimiter({ redis, clock: () => start, alone: createMemoryRateLimiter({ clock: () => start }) })

  it('count an address together', async () => {
    const [one, other] = [node(), node()]
    expect(await one.take('CT9', limit)).toBe(true)
    expect(await other.take('CT9', limit)).toBe(true)
    expect(await one.take('CT9', limit)).toBe(true)
    expect(await other.take('CT9', limit)).toBe(false)
  })

  it('still limit, each for itself, while Redis is away, and log it once', async () => {
    const limiter = node()
    await server.stop()
    const taken: boolean[] = []
    for (let call = 0; call < 5; call += 1) taken.push(await limiter.take('CT away', limit))
    expect(taken).toEqual([true, true, true, false, false])
    const warnings = () => lines.filter((line) => line.includes('redis_limits_local'))
    await vi.waitFor(() => expect(warnings()).toHaveLength(1))
    await server.start()
  })
})
