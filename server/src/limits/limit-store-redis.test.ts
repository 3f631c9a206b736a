import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { redisHere, type TestRedis, testRedis } from '../../test/support/lib/redis.ts'
import { aLimit, limitedCall, memoryCounts, openTestLimiter } from '../../test/support/limits/limiter.ts'
import { openLog } from '../lib/log.ts'
import { openSharedRedis, type SharedRedis } from '../lib/redis/redis-client.ts'
import { openSharedClock } from '../lib/redis/shared-clock.ts'
import type { LimitEntry } from './call-limits.ts'
import { openMemoryLimitStore } from './limit-store.ts'
import { openRedisLimitStore } from './limit-store-redis.ts'
import type { Limiter } from './limiter.ts'

const noon = Date.parse('2026-11-24T12:00:00Z')
const log = openLog({ clock: Date.now, format: 'json', debug: false, print: () => {} })
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

type Rule = Parameters<typeof openTestLimiter>[0][number]

let opened = 0
/** Three nodes, each with a connection to the store of its own, as far as that is one, and a clock that may be another. */
const openNodes = (rule: Rule, store: 'redis' | 'memory', now: (node: string) => number): readonly Limiter[] => {
  opened += 1
  const [counts, memory] = [memoryCounts(), openMemoryLimitStore()]
  return ['a', 'b', 'c'].map((node) => {
    const limiter = openTestLimiter([], {
      isShared: true,
      node: `${node}${opened}`,
      clock: () => now(node),
      counts: counts.of(`${node}${opened}`),
      store: store === 'redis' ? openRedisLimitStore({ redis }) : memory,
    })
    limiter.setLimits([aLimit(rule, opened)])
    return limiter
  })
}

/** The beginning of an hour that is later than any test before has emptied Redis. */
const later = (): number => noon + (opened + 1) * 3_600_000

/** Lets time pass for what Redis knows: all that it has written down was so much earlier. */
const age = (ms: number): Promise<unknown> =>
  redis.run(
    `for _, key in ipairs(redis.call('KEYS', '{tollgate:limits}:*')) do
      local kind = redis.call('TYPE', key).ok
      if kind == 'hash' then
        for _, field in ipairs(redis.call('HKEYS', key)) do
          if string.sub(field, 1, 2) == 't:' then redis.call('HINCRBY', key, field, -ARGV[1]) end
        end
      elseif kind == 'zset' then
        for _, node in ipairs(redis.call('ZRANGE', key, 0, -1)) do redis.call('ZINCRBY', key, -ARGV[1], node) end
      else
        local name, begun = string.match(redis.call('GET', key), '^(.*):(%d+)$')
        if begun ~= '0' then redis.call('SET', key, name .. ':' .. string.format('%.0f', begun - ARGV[1])) end
      end
    end`,
    [],
    [ms],
  )

const enter = async (limiter: Limiter | undefined, output = 1): Promise<LimitEntry | undefined> => {
  try {
    return await limiter?.enter(limitedCall(), { input: 0, output, money: 0 })
  } catch {
    return undefined
  }
}

/** Calls one after the other on nodes by turns, each answered at once; how many were let through. */
const call = async (nodes: readonly Limiter[], calls: number, weights: readonly number[] = [1, 1, 1]) => {
  const turns = weights.flatMap((weight, node) => Array.from({ length: weight }, () => node))
  let through = 0
  for (let turn = 0; turn < calls; turn += 1) {
    const entry = await enter(nodes[turns[turn % turns.length] ?? 0])
    entry?.settle({ promptTokens: 0, completionTokens: 1, quota: 0 })
    if (entry !== undefined) through += 1
    if (turn % 50 === 49) for (const node of nodes) await node.renew()
  }
  return through
}

const stores = redisHere ? (['memory', 'redis'] as const) : (['memory'] as const)

describe.each(stores)('nodes that share limits in %s', (store) => {
  it('let nearly all through together, and none more, also where one node has most calls', async () => {
    const now = noon
    const nodes = openNodes({ amount: 300 }, store, () => now)
    const through = await call(nodes, 450, [7, 1, 1])
    expect(through).toBeLessThanOrEqual(300)
    expect(through).toBeGreaterThanOrEqual(297)
  })

  it('give back what they do not use', async () => {
    let now = noon
    const nodes = openNodes({ measure: 'output_tokens', amount: 100, window: 'hour' }, store, () => now)
    const first = await enter(nodes[0], 60)
    expect(await enter(nodes[1], 60)).toBeUndefined()
    first?.settle({ promptTokens: 0, completionTokens: 10, quota: 0 })
    for (const node of [...nodes, ...nodes]) await node.renew()
    now += 200
    expect(await enter(nodes[1], 90)).toBeDefined()
  })

  it('free the calls under way of a node that has ended', async () => {
    let now = noon
    const nodes = openNodes({ measure: 'running', window: 'now', amount: 2 }, store, () => now)
    await enter(nodes[0])
    await enter(nodes[0])
    expect(await enter(nodes[1])).toBeUndefined()
    now += 16_000
    if (store === 'redis') await age(16_000)
    expect(await enter(nodes[1])).toBeDefined()
  })
})

describe.runIf(redisHere)('nodes that lose Redis', () => {
  it.each([
    { measure: 'requests', window: 'minute', amount: 300 },
    { measure: 'requests', window: 'hour', amount: 300 },
    { measure: 'output_tokens', window: 'hour', amount: 300 },
    { measure: 'requests', window: 'rolling', hours: 1, amount: 300 },
  ] as const)('let the rest of $measure through where it is emptied in mid-$window', async (rule) => {
    let now = later()
    const nodes = openNodes(rule, 'redis', () => now)
    let through = 0
    /** Calls that come faster than a refusal is forgotten, also while they are refused. */
    const drive = async (calls: number): Promise<void> => {
      for (let turn = 0; turn < calls; turn += 1) {
        const entry = await enter(nodes[turn % nodes.length])
        entry?.settle({ promptTokens: 0, completionTokens: 1, quota: 0 })
        if (entry !== undefined) through += 1
        now += 10
        if (turn % 50 !== 49) continue
        await age(500)
        for (const node of nodes) await node.renew()
      }
    }
    await drive(200)
    expect(through).toBe(200)
    await redis.run("return redis.call('FLUSHALL')", [], [])
    await drive(1500)
    expect(through).toBeLessThanOrEqual(300)
    expect(through).toBeGreaterThanOrEqual(297)
  })

  it('go on with what they had, and never pass the limit together, also where it comes back empty', async () => {
    let now = later()
    const nodes = openNodes({ amount: 300, window: 'hour' }, 'redis', () => now)
    let through = await call(nodes, 120)
    expect(through).toBe(120)
    await server.stop()
    const alone = await call(nodes, 60)
    expect(alone).toBeGreaterThan(0)
    through += alone
    await server.start()
    await expect.poll(() => redis.run("return 'up'", [], []).catch(() => 'down')).toBe('up')
    for (const node of nodes) await node.renew()
    through += await call(nodes, 60)
    now += 2000
    await age(2000)
    for (const node of [...nodes, ...nodes]) await node.renew()
    through += await call(nodes, 300)
    expect(through).toBeLessThanOrEqual(300)
    expect(through).toBeGreaterThanOrEqual(297)
  })

  describe('where the clock of one is behind by minutes', () => {
    const behindMs = 5 * 60_000
    const rule = { amount: 300, window: 'hour' } as const
    /** All of them are in the same hour. */
    const openSkewed = () => {
      const now = later() + 1_800_000
      return openNodes(rule, 'redis', (node) => (node === 'c' ? now - behindMs : now))
    }
    const flush = () => redis.run("return redis.call('FLUSHALL')", [], [])
    const renewAll = async (nodes: readonly Limiter[]) => {
      for (const node of nodes) await node.renew()
    }

    it('get leases again as soon as Redis has heard all, that one too', async () => {
      const nodes = openSkewed()
      expect(await call(nodes, 30)).toBe(30)
      await flush()
      await renewAll(nodes)
      await age(2000)
      await renewAll(nodes)
      const through = 30 + (await call(nodes, 500, [0, 0, 1]))
      expect(through).toBeLessThanOrEqual(300)
      // The others keep their last leases until they are renewed, which happens along the way.
      expect(through).toBeGreaterThanOrEqual(297)
    })

    it('give nothing away before all were heard, also where that one comes first', async () => {
      const nodes = openSkewed()
      await call(nodes, 30)
      await flush()
      const before = Number(await redis.run("return redis.call('TIME')[1]", [], [])) * 1000
      await nodes[2]?.renew()
      const generation = String(await redis.run("return redis.call('GET', '{tollgate:limits}:generation')", [], []))
      expect(Number(generation.split(':')[1])).toBeGreaterThanOrEqual(before)
      // For the tests that follow it is no news any more.
      await age(2000)
    })

    it.each([
      { measure: 'requests', window: 'minute', amount: 300 },
      { measure: 'output_tokens', window: 'hour', amount: 300 },
      { measure: 'requests', window: 'rolling', hours: 1, amount: 300 },
    ] as const)('count the same $window, and the next one together', async (rule) => {
      // Their shared clock follows Redis, so it is near the real time, and stands still like the clocks of the nodes.
      const nodeTimes = { a: Date.now(), b: Date.now() + behindMs, c: Date.now() - behindMs }
      const clocks = await Promise.all(
        Object.entries(nodeTimes).map(
          async ([node, time]) => [node, await openSharedClock(redis, () => time)] as const,
        ),
      )
      let passedMs = 0
      const nodes = openNodes(rule, 'redis', (node) => (new Map(clocks).get(node)?.now() ?? 0) + passedMs)
      const first = await call(nodes, 450)
      expect(first).toBeLessThanOrEqual(300)
      expect(first).toBeGreaterThanOrEqual(297)
      passedMs = 2 * 3_600_000
      const next = await call(nodes, 450)
      expect(next).toBeLessThanOrEqual(300)
      expect(next).toBeGreaterThanOrEqual(297)
      for (const [, clock] of clocks) clock.close()
    })

    it('count its calls under way', async () => {
      const now = later()
      const running = { measure: 'running', window: 'now', amount: 2 } as const
      const nodes = openNodes(running, 'redis', (node) => (node === 'c' ? now - behindMs : now))
      expect([await enter(nodes[2]), await enter(nodes[2])]).not.toContain(undefined)
      expect(await enter(nodes[0])).toBeUndefined()
    })
  })

  it('share a window that begins without Redis equally', async () => {
    let now = later()
    const nodes = openNodes({ amount: 30 }, 'redis', () => now)
    await call(nodes, 3)
    for (const node of nodes) await node.renew()
    await server.stop()
    now += 60_000
    expect(await call(nodes, 90)).toBeLessThanOrEqual(30)
    await server.start()
    await expect.poll(() => redis.run("return 'up'", [], []).catch(() => 'down')).toBe('up')
  })
})
