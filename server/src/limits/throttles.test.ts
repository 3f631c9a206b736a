import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { redisHere, type TestRedis, testRedis } from '../../test/support/lib/redis.ts'
import { openTestThrottles } from '../../test/support/limits/limiter.ts'
import { createRateLimit } from '../gateway/auth/rate-limit.ts'
import { silentLog } from '../lib/log.ts'
import { openSharedRedis, type SharedRedis } from '../lib/redis/redis-client.ts'
import { openRedisLimitStore } from './limit-store-redis.ts'
import type { Throttles } from './throttles.ts'

const start = 1_900_000_000_000
const throttle = { count: 3, seconds: 10 }
let server: TestRedis
let redis: SharedRedis
let keys = 0

beforeAll(async () => {
  if (!redisHere) return console.warn('Redis is absent: throttles that nodes share are not tested')
  server = await testRedis()
  await server.start()
  redis = await openSharedRedis({ url: server.url, log: silentLog })
})

afterAll(async () => {
  redis?.close()
  await server?.stop()
})

const places = [
  { place: 'in memory', shared: false },
  { place: 'in Redis', shared: true },
]

const openNode = (shared: boolean, node: string, clock: () => number): Throttles =>
  openTestThrottles({
    clock,
    node,
    ...(shared ? { store: openRedisLimitStore({ redis }), isShared: true } : {}),
  })

describe.each(places.filter(({ shared }) => redisHere || !shared))('a throttle $place', ({ shared }) => {
  const open = (clock: () => number): { throttles: Throttles; key: string } => {
    keys += 1
    return { throttles: openNode(shared, `alone ${keys}`, clock), key: `key ${place()} ${keys}` }
  }
  const place = (): string => (shared ? 'redis' : 'memory')

  it('lets the agreed number through, and the next one once the oldest has left the window', async () => {
    let now = start
    const { throttles, key } = open(() => now)
    const taken: boolean[] = []
    for (const at of [0, 1000, 2000, 2500, 9999, 10_200, 10_500, 11_200]) {
      now = start + at
      taken.push(await throttles.take(key, throttle))
    }
    expect(taken).toEqual([true, true, true, false, false, true, false, true])
  })

  it('gives back the latest one, and no more than there are', async () => {
    const { throttles, key } = open(() => start)
    for (let call = 0; call < 3; call += 1) await throttles.take(key, throttle)
    for (let call = 0; call < 2; call += 1) throttles.giveBack(key)
    const taken: boolean[] = []
    for (let call = 0; call < 3; call += 1) taken.push(await throttles.take(key, throttle))
    expect(taken).toEqual([true, true, false])
    for (let call = 0; call < 9; call += 1) throttles.giveBack(key)
    throttles.giveBack('a key that nobody knows')
  })

  it('takes a higher number from the next one on', async () => {
    const { throttles, key } = open(() => start)
    for (let call = 0; call < 3; call += 1) await throttles.take(key, throttle)
    expect(await throttles.take(key, { ...throttle, count: 4 })).toBe(true)
  })

  it('counts requests of a user apart from those that were answered', async () => {
    const { throttles } = open(() => start)
    const limit = createRateLimit(throttles)
    const user = keys * 10
    const limits = { minutes: 1, count: 3, successCount: 2 }
    expect(await limit.enter(user, limits)).toBe('allowed')
    limit.succeeded(user, limits)
    expect(await limit.enter(user, limits)).toBe('allowed')
    limit.succeeded(user, limits)
    expect(await limit.enter(user, limits)).toBe('success')
    expect(await limit.enter(user, { ...limits, successCount: 0 })).toBe('allowed')
    expect(await limit.enter(user, { ...limits, successCount: 0 })).toBe('total')
    expect(await limit.enter(user + 1, limits)).toBe('allowed')
    expect(await limit.enter(user, { minutes: 0, count: 1, successCount: 1 })).toBe('allowed')
  })
})

it('forgets keys beyond the agreed number, those unused for longest first', async () => {
  const throttles = openTestThrottles({ clock: () => start, mostKeys: 2 })
  for (const key of ['a', 'a', 'a', 'b', 'c']) await throttles.take(key, throttle)
  expect(await throttles.take('a', throttle)).toBe(true)
})

describe.skipIf(!redisHere)('nodes with one Redis', () => {
  const nodes = (name: string): readonly [Throttles, Throttles] => [
    openNode(true, `${name} one`, () => start),
    openNode(true, `${name} two`, () => start),
  ]

  it('count together', async () => {
    const [one, other] = nodes('together')
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, call) => (call % 2 === 0 ? one : other).take('together', throttle)),
    )
    expect(answers.filter((answer) => answer)).toHaveLength(3)
  })

  it('still limit, each for itself, while Redis is away', async () => {
    const [one] = nodes('away')
    await server.stop()
    const answers: boolean[] = []
    for (let call = 0; call < 4; call += 1) answers.push(await one.take('away', throttle))
    expect(answers).toEqual([true, true, true, false])
    await server.start()
  })
})
