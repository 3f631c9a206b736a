import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { redisHere, type TestRedis, testRedis } from '../../test/support/lib/redis.ts'
import { aLimit, limitedCall, memoryCounts, openTestLimiter } from '../../test/support/limits/limiter.ts'
import { openLog } from '../lib/log.ts'
import { openSharedRedis, type SharedRedis } from '../lib/redis/redis-client.ts'
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
/** Three nodes, each with a connection to the store of its own, as far as that is one. */
const openNodes = (rule: Rule, store: 'redis' | 'memory', now: () => number): readonly Limiter[] => {
  opened += 1
  const [counts, memory] = [memoryCounts(), openMemoryLimitStore()]
  return ['a', 'b', 'c'].map((node) => {
    const limiter = openTestLimiter([], {
      isShared: true,
      node: `${node}${opened}`,
      clock: now,
      counts: counts.of(`${node}${opened}`),
      store: store === 'redis' ? openRedisLimitStore({ redis }) : memory,
    })
    limiter.setLimits([aLimit(rule, opened)])
    return limiter
  })
}

/** The beginning of an hour that is later than any test before has emptied Redis. */
const later = (): number => noon + (opened + 1) * 3_600_000

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
        if (turn % 50 === 49) for (const node of nodes) await node.renew()
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
    for (const node of [...nodes, ...nodes]) await node.renew()
    through += await call(nodes, 300)
    expect(through).toBeLessThanOrEqual(300)
    expect(through).toBeGreaterThanOrEqual(297)
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
