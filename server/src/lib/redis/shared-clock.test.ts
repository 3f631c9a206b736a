import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { redisHere, type TestRedis, testRedis } from '../../../test/support/lib/redis.ts'
import { silentLog } from '../log.ts'
import { openSharedRedis, type SharedRedis } from './redis-client.ts'
import { openSharedClock } from './shared-clock.ts'

const minute = 60_000

/** A Redis that answers a time. */
const answering = (time: () => number): Pick<SharedRedis, 'run'> => ({ run: async () => String(time()) })

describe('a clock that nodes share', () => {
  it('follows Redis, also where the clock of the node is set anew', async () => {
    let [redisTime, nodeTime] = [1_900_000_000_000, 1_900_000_000_000 + 7 * minute]
    const clock = await openSharedClock(
      answering(() => redisTime),
      () => nodeTime,
    )
    expect(clock.now()).toBe(redisTime)
    redisTime += minute
    nodeTime += minute
    expect(clock.now()).toBe(redisTime)
    nodeTime -= 20 * minute
    await clock.measure()
    expect(clock.now()).toBe(redisTime)
    clock.close()
  })

  it('does not jump by how long answers take', async () => {
    let nodeTime = 1_900_000_000_000
    let [takesMs, isBefore] = [0, true]
    const redis: Pick<SharedRedis, 'run'> = {
      async run() {
        if (isBefore) nodeTime += takesMs
        const time = nodeTime + 5 * minute
        if (!isBefore) nodeTime += takesMs
        return String(time)
      },
    }
    const clock = await openSharedClock(redis, () => nodeTime)
    for (takesMs of [3, 40, 700])
      for (isBefore of [true, false]) {
        await clock.measure()
        expect(clock.now() - nodeTime).toBe(5 * minute)
      }
    clock.close()
  })

  it('is that of the node until Redis has answered, and keeps the difference while it is away', async () => {
    let isAway = true
    const redis: Pick<SharedRedis, 'run'> = {
      run: async () => (isAway ? Promise.reject(new Error('away')) : String(1_900_000_000_000)),
    }
    let nodeTime = 1_900_000_000_000 - 5 * minute
    const clock = await openSharedClock(redis, () => nodeTime)
    expect(clock.now()).toBe(nodeTime)
    isAway = false
    await clock.measure()
    isAway = true
    nodeTime += minute
    await clock.measure()
    expect(clock.now()).toBe(1_900_000_000_000 + minute)
    clock.close()
  })
})

describe.skipIf(!redisHere)('nodes of a real Redis (skipped where redis-server is not installed)', () => {
  let server: TestRedis
  let redis: SharedRedis

  beforeAll(async () => {
    server = await testRedis()
    await server.start()
    redis = await openSharedRedis({ url: server.url, log: silentLog })
  })
  afterAll(async () => {
    redis?.close()
    await server?.stop()
  })

  it('agree on the time, whatever their clocks say', async () => {
    // Clocks that stand still: nothing of what the test takes is in the figures.
    const [ahead, behind] = [Date.now() + 11 * minute, Date.now() - 7 * minute]
    const one = await openSharedClock(redis, () => ahead)
    const before = Date.now()
    const other = await openSharedClock(redis, () => behind)
    expect(Math.abs(one.now() - before)).toBeLessThan(minute)
    expect(Math.abs(other.now() - before)).toBeLessThan(minute)
    expect(other.now()).toBeGreaterThanOrEqual(one.now())
    one.close()
    other.close()
  })
})
