import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { redisHere, type TestRedis, testRedis } from '../../../test/support/lib/redis.ts'
import { silentLog } from '../../lib/log.ts'
import { openSharedRedis, type SharedRedis } from '../../lib/redis/redis-client.ts'
import { openMemoryRateLimit } from './rate-limit.ts'
import { openRedisRateLimit } from './rate-limit-redis.ts'

const start = 1_900_000_000_000
let server: TestRedis
let redis: SharedRedis

beforeAll(async () => {
  if (!redisHere) return console.warn('Redis is absent: limits that nodes share are not tested')
  server = await testRedis()
  await server.start()
  redis = await openSharedRedis({ url: server.url, log: silentLog })
})

afterAll(async () => {
  redis?.close()
  await server?.stop()
})

const places = [
  { place: 'in memory', shared: false, first: 100 },
  { place: 'in Redis', shared: true, first: 200 },
]

describe.each(places.filter(({ shared }) => redisHere || !shared))(
  'the limit of a user $place',
  ({ shared, first }) => {
    const open = (clock: () => number) => {
      const alone = openMemoryRateLimit(clock)
      return shared ? openRedisRateLimit({ redis, clock, alone }) : alone
    }

    it('lets the next one in when the oldest leaves the window', async () => {
      let now = start
      const limit = open(() => now)
      const limits = { minutes: 1, count: 2, successCount: 0 }
      const answers: string[] = []
      for (const at of [0, 30_000, 40_000, 59_999, 60_000, 60_001]) {
        now = start + at
        answers.push(await limit.enter(first, limits))
      }
      expect(answers).toEqual(['allowed', 'allowed', 'total', 'total', 'allowed', 'total'])
      expect(await limit.enter(first + 1, limits)).toBe('allowed')
    })

    it('counts successes apart from requests', async () => {
      const limit = open(() => start)
      const limits = { minutes: 1, count: 0, successCount: 1 }
      expect(await limit.enter(first + 2, limits)).toBe('allowed')
      expect(await limit.enter(first + 2, limits)).toBe('allowed')
      limit.succeeded(first + 2, limits)
      expect(await limit.enter(first + 2, limits)).toBe('success')
    })
  },
)

describe.skipIf(!redisHere)('nodes with one Redis', () => {
  const node = () => {
    const clock = () => start
    return openRedisRateLimit({ redis, clock, alone: openMemoryRateLimit(clock) })
  }
  const limits = { minutes: 1, count: 3, successCount: 2 }

  it('count a user together', async () => {
    const [one, other] = [node(), node()]
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, call) => (call % 2 === 0 ? one : other).enter(301, limits)),
    )
    expect(answers.filter((answer) => answer === 'allowed')).toHaveLength(3)
    one.succeeded(302, limits)
    other.succeeded(302, limits)
    expect(await one.enter(302, limits)).toBe('success')
  })

  it('still limit, each for itself, while Redis is away', async () => {
    const limit = node()
    await server.stop()
    const answers: string[] = []
    for (let call = 0; call < 4; call += 1) answers.push(await limit.enter(303, limits))
    expect(answers).toEqual(['allowed', 'allowed', 'allowed', 'total'])
    await server.start()
  })
})
