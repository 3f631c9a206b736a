import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { redisHere, type TestRedis, testRedis } from '../../../test/support/lib/redis.ts'
import { silentLog } from '../../lib/log.ts'
import { openSharedRedis, type SharedRedis } from '../../lib/redis/redis-client.ts'
import { openLoginThrottle } from './throttle-redis.ts'

let server: TestRedis
let redis: SharedRedis
let run = 0

beforeAll(async () => {
  if (!redisHere) return console.warn('Redis is absent: what nodes throttle together is not tested')
  server = await testRedis()
  await server.start()
  redis = await openSharedRedis({ url: server.url, log: silentLog })
})

afterAll(async () => {
  redis?.close()
  await server?.stop()
})

/** A Redis whose time goes on when the test says so. */
const redisAt = (now: () => number): Pick<SharedRedis, 'run'> => ({
  run(script, keys, values) {
    const time = `{ ${Math.floor(now() / 1000)}, ${(now() % 1000) * 1000} }`
    return redis.run(script.replaceAll("redis.call('TIME')", time), keys, values)
  },
})

/**
 * Two nodes: where they share nothing, the second is the first. Where they share a Redis, their clocks differ by `aheadMs`. Names are new
 * for each test.
 */
const setUp = ({ shared, aheadMs = 0 }: { shared: boolean; aheadMs?: number }) => {
  let now = 1_900_000_000_000
  run += 1
  const test = run
  const node = (ahead: number) =>
    openLoginThrottle({ redis: shared ? redisAt(() => now) : undefined, clock: () => now + ahead })
  const first = node(0)
  const throttles = [first, shared ? node(aheadMs) : first]
  let turn = 0
  const next = () => throttles[turn++ % 2] ?? first
  const keys = (account: string, address: string) => ({ account: `${account}#${test}`, address: `${address}#${test}` })
  return {
    pass: (seconds: number) => {
      now += seconds * 1000
    },
    succeed: async (account: string, address: string) => next().succeeded(keys(account, address)),
    prove: async (account: string, address: string) => next().proved(keys(account, address)),
    /** 0 when the attempt may go on, else the seconds to wait. */
    attempt: async (account: string, address: string): Promise<number> => {
      try {
        await next().attempt(keys(account, address))
        return 0
      } catch (error) {
        return Number((error as { params: { seconds: number } }).params.seconds)
      }
    },
  }
}

const places = [
  { place: 'on one node', shared: false, aheadMs: 0 },
  { place: 'on two nodes with a Redis', shared: true, aheadMs: 0 },
  { place: 'on two nodes with a Redis whose clocks differ by ten minutes', shared: true, aheadMs: 600_000 },
]

describe.each(places.filter(({ shared }) => redisHere || !shared))('guessing $place', ({ shared, aheadMs }) => {
  it('is free five times, then waits twice as long each time, up to a minute', async () => {
    const { attempt, pass } = setUp({ shared, aheadMs })
    for (let guess = 0; guess < 5; guess += 1) expect(await attempt('id:1', `10.0.0.${guess}`)).toBe(0)
    const waits: number[] = []
    for (let guess = 5; guess < 13; guess += 1) {
      const wait = await attempt('id:1', `10.0.0.${guess}`)
      waits.push(wait)
      pass(wait)
      expect(await attempt('id:1', `10.0.0.${guess}`)).toBe(0)
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60])
  })

  it('gains nothing by doing it at once: guesses count before they are answered', async () => {
    const { attempt } = setUp({ shared, aheadMs })
    const guesses = Array.from({ length: 50 }, (_, guess) => attempt('id:1', `10.0.0.${guess}`))
    expect((await Promise.all(guesses)).filter((wait) => wait === 0)).toHaveLength(5)
  })

  it('slows an address that tries very many accounts', async () => {
    const { attempt } = setUp({ shared, aheadMs })
    for (let guess = 0; guess < 200; guess += 1) expect(await attempt(`id:${guess}`, '1.1.1.1')).toBe(0)
    expect(await attempt('id:999', '1.1.1.1')).toBe(1)
    expect(await attempt('id:999', '2.2.2.2')).toBe(0)
  })

  it('by one account does not close its address to others, however long it goes on', async () => {
    const { attempt, pass } = setUp({ shared, aheadMs })
    // An hour of guesses, each as soon as the account may: far fewer than an address may make.
    for (let guess = 0; guess < 70; guess += 1) pass(await attempt('id:guesser', '1.1.1.1'))
    expect(await attempt('id:neighbour', '1.1.1.1')).toBe(0)
  })

  it('starts an account afresh after a success, but not its address', async () => {
    const { attempt, succeed } = setUp({ shared, aheadMs })
    for (let guess = 0; guess < 199; guess += 1) await attempt(`id:other-${guess}`, '1.1.1.1')
    expect(await attempt('id:1', '1.1.1.1')).toBe(0)
    await succeed('id:1', '1.1.1.1')
    for (let guess = 0; guess < 5; guess += 1) expect(await attempt('id:1', '1.1.1.1')).toBe(0)
    expect(await attempt('id:1', '1.1.1.1')).toBe(1)
    expect(await attempt('id:2', '1.1.1.1')).toBe(0)
    expect(await attempt('id:3', '1.1.1.1')).toBe(1)
  })

  it.each(['succeed', 'prove'] as const)(
    'by neighbours never locks out a user who did %s at that address',
    async (how) => {
      const site = setUp({ shared, aheadMs })
      if (how === 'succeed') await site.attempt('id:1', 'office')
      await site[how]('id:1', 'office')
      for (let guess = 0; guess < 220; guess += 1) await site.attempt(`id:guessed-${guess}`, 'office')
      expect(await site.attempt('id:2', 'office')).toBeGreaterThan(0)
      for (let guess = 0; guess < 5; guess += 1) expect(await site.attempt('id:1', 'office')).toBe(0)
      expect(await site.attempt('id:1', 'office')).toBe(1)
    },
  )

  it('from one address makes that address alone wait, longer each time', async () => {
    const { attempt, pass } = setUp({ shared, aheadMs })
    const waits: number[] = []
    for (let guess = 0; guess < 5; guess += 1) expect(await attempt('id:1', 'stranger')).toBe(0)
    for (let guess = 5; guess < 17; guess += 1) {
      const wait = await attempt('id:1', 'stranger')
      waits.push(wait)
      pass(wait)
      expect(await attempt('id:1', 'stranger')).toBe(0)
      // The owner comes from a new address.
      if (guess === 16) for (let own = 0; own < 3; own += 1) expect(await attempt('id:1', 'new home')).toBe(0)
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900])
    expect(await attempt('id:1', 'stranger')).toBe(900)
  })

  it('from many addresses counts each time, also from those that guessed before', async () => {
    const { attempt, pass } = setUp({ shared, aheadMs })
    for (let guess = 0; guess < 5; guess += 1) expect(await attempt('id:1', `bot-${guess}`)).toBe(0)
    pass(1)
    const again = await Promise.all([0, 1, 2, 3, 4].map((bot) => attempt('id:1', `bot-${bot}`)))
    expect(again.filter((wait) => wait === 0)).toHaveLength(1)
  })

  it('from elsewhere never locks out an owner who signed in before', async () => {
    const { attempt, succeed } = setUp({ shared, aheadMs })
    await attempt('id:1', 'home')
    await succeed('id:1', 'home')
    for (let guess = 0; guess < 30; guess += 1) await attempt('id:1', `bot-${guess}`)
    expect(await attempt('id:1', 'bot-x')).toBeGreaterThan(0)
    expect(await attempt('id:1', 'home')).toBe(0)
  })
})

it('is forgotten after an hour of quiet', async () => {
  const { attempt, pass } = setUp({ shared: false })
  for (let guess = 0; guess < 9; guess += 1) await attempt('id:1', '1.1.1.1')
  pass(3600)
  for (let guess = 0; guess < 5; guess += 1) expect(await attempt('id:1', '1.1.1.1')).toBe(0)
})

it.skipIf(!redisHere)('of codes counts apart from guessing of passwords', async () => {
  const keys = { account: 'apart', address: '3.3.3.3' }
  const [login, codes] = ['login', 'redeem'].map((guessed) => openLoginThrottle({ redis, clock: Date.now, guessed }))
  for (let guess = 0; guess < 5; guess += 1) await login?.attempt(keys)
  await expect(login?.attempt(keys)).rejects.toMatchObject({ code: 'login_throttled' })
  await expect(codes?.attempt(keys)).resolves.toBeUndefined()
})

it.skipIf(!redisHere)('waits by the clock of Redis itself', async () => {
  const keys = { account: 'by-redis', address: '4.4.4.4' }
  // By its own clock, this node lives ten minutes later each time it looks.
  let now = Date.now()
  const throttle = openLoginThrottle({ redis, clock: () => (now += 600_000) })
  for (let guess = 0; guess < 8; guess += 1) {
    await redis.run(
      "for _, key in ipairs(redis.call('KEYS', '{tollgate:login}:*')) do if redis.call('TYPE', key).ok == 'hash' then redis.call('HDEL', key, 'until') end end",
      [],
      [],
    )
    await throttle.attempt(keys)
  }
  await expect(throttle.attempt(keys)).rejects.toMatchObject({ code: 'login_throttled', params: { seconds: 8 } })
})

it.skipIf(!redisHere)('is still slowed by each node while Redis is away', async () => {
  const { attempt } = setUp({ shared: true })
  await server.stop()
  const waits: number[] = []
  for (let guess = 0; guess < 12; guess += 1) waits.push(await attempt('id:1', `10.0.0.${guess}`))
  // Two nodes with five free guesses each.
  expect(waits.filter((wait) => wait === 0)).toHaveLength(10)
  await server.start()
})
