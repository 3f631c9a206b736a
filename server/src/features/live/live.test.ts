import type { AttentionReason } from '@tollgate/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { redisHere, type TestRedis, testRedis } from '../../../test/support/lib/redis.ts'
import { silentLog } from '../../lib/log.ts'
import { type Bus, openBus } from '../../lib/redis/bus.ts'
import type { RelayChannel, RequestRecord } from '../../relay/ports.ts'
import { openLiveNode } from '../../telemetry/live/live-node.ts'
import { openLiveNodes } from '../../telemetry/live/live-nodes.ts'
import { livePictureOf } from './picture.ts'

const ends: (() => void | Promise<void>)[] = []
afterAll(async () => {
  for (const end of ends.reverse()) await end()
})

const record = (more: Partial<RequestRecord> = {}): RequestRecord => ({
  id: 'r1',
  at: Date.now(),
  kind: 'charge',
  userId: 1,
  username: 'alice',
  tokenId: 1,
  tokenName: 'key',
  channelId: 7,
  model: 'gpt-4o',
  group: 'default',
  quota: 100,
  promptTokens: 1,
  completionTokens: 1,
  useTime: 0,
  isStream: true,
  ip: '',
  content: '',
  other: {},
  receipt: undefined,
  measures: { totalMs: 900, firstMs: 500, cached: 0, cacheWrite: 0, reasoning: 0 },
  ...more,
})

const channel = { id: 7, name: 'Berlin' } as RelayChannel

/** A node whose calls a test makes up. */
const openNode = (bus: Bus, name: string, alone = false) => {
  const id = `${name}:${Math.random()}`
  const node = openLiveNode({
    id,
    name,
    version: '1',
    state: () => ({
      running: 3,
      holds: { count: 2, quota: 50 },
      leases: { count: 0, quota: 0 },
      waiting: { count: 1, oldestMs: 40 },
      journal: { segments: 1, bytes: 1000 },
      accepting: true,
    }),
    isStopping: () => false,
    dependencies: { database: async () => 1.5, redis: undefined },
    clock: Date.now,
  })
  const nodes = openLiveNodes({ id, node, bus, alone, clock: Date.now, failed: () => {} })
  ends.push(node.close, nodes.close)
  return { node, nodes }
}

const watched = { id: 7, name: 'Berlin', enabled: true, autoDisabled: false, avoidedModels: [] }

describe('the picture of the present', () => {
  it('counts calls, failures, spend and times to the first token', async () => {
    const { node, nodes } = openNode(openBus({ nodeName: 'a', log: silentLog }), 'a', true)
    for (let call = 0; call < 9; call += 1) node.listener.callRecorded(record())
    node.listener.callRecorded(record({ kind: 'error', quota: 0, other: { status: 503, error_code: 'busy' } }))
    const {
      now,
      minutes,
      errors,
      nodes: shown,
    } = livePictureOf(await nodes.reports(), { channels: [watched], needs: new Map() }, Date.now(), 'en')
    expect(now).toMatchObject({ calls: 10, failed: 1, quota: 900, calls_per_second: 1, running: 3 })
    // Times are counted in classes a quarter wide.
    expect(now.first_p50_ms).toBeGreaterThan(400)
    expect(now.first_p50_ms).toBeLessThan(625)
    expect(minutes).toHaveLength(60)
    expect(minutes.reduce((sum, { calls }) => sum + calls, 0)).toBe(10)
    expect(errors).toMatchObject([{ status: 503, code: 'busy', model: 'gpt-4o', channel_name: 'Berlin' }])
    expect(shown).toMatchObject([{ name: 'a', state: 'ready', running: 3, holds: 2, held_quota: 50, database_ms: 1.5 }])
  })

  it('names the channels that need attention, the worst first, with their last failure', async () => {
    const { node, nodes } = openNode(openBus({ nodeName: 'a', log: silentLog }), 'a', true)
    const failure = { status: 429, type: '', code: '', message: 'too many requests', cause: '' }
    for (let attempt = 0; attempt < 20; attempt += 1) {
      const failed = attempt % 4 === 0 ? failure : undefined
      node.listener.attemptEnded({ channel, failure: failed, model: 'gpt-4o', tookMs: 10, firstContentMs: 200 })
    }
    const channels = [
      watched,
      { ...watched, id: 8, name: 'Oslo', avoidedModels: ['o3'] },
      { ...watched, id: 9, name: 'Rome', enabled: false, autoDisabled: true },
      { ...watched, id: 10, name: 'Wien', enabled: false },
    ]
    const needs = new Map<number, AttentionReason[]>([
      [7, ['failing', 'unpriced']],
      [8, ['cooling']],
      [9, ['disabled']],
    ])
    const picture = livePictureOf(await nodes.reports(), { channels, needs }, Date.now(), 'en')
    const { in_trouble: troubled, needing_attention: count, all } = picture.channels
    expect({ all, count }).toEqual({ all: 4, count: 3 })
    expect(troubled.map(({ name, reasons }) => [name, reasons])).toEqual([
      ['Rome', ['disabled']],
      ['Berlin', ['failing', 'unpriced']],
      ['Oslo', ['cooling']],
    ])
    expect(troubled[1]).toMatchObject({
      attempts: 20,
      failed: 5,
      status: 429,
      reason: 'too many requests',
      first_ms: 200,
    })
  })
})

describe.skipIf(!redisHere)('several nodes', () => {
  let redis: TestRedis
  beforeAll(async () => {
    redis = await testRedis()
    await redis.start()
  })
  afterAll(() => redis.stop())

  it('are shown together wherever somebody looks, and only while somebody does', async () => {
    const buses = ['one', 'two'].map((nodeName) => openBus({ redis: redis.url, nodeName, log: silentLog }))
    await Promise.all(buses.map((bus) => bus.ready()))
    const [first, second] = buses.map((bus, index) => openNode(bus, ['one', 'two'][index] ?? ''))
    if (first === undefined || second === undefined) throw new Error('two nodes were opened')
    let sent = 0
    buses[0]?.subscribe('live', () => {
      sent += 1
    })
    first.node.listener.callRecorded(record())
    second.node.listener.callRecorded(record())
    expect(sent).toBe(0)
    await expect.poll(async () => (await first.nodes.reports()).length).toBe(2)
    const picture = livePictureOf(
      await first.nodes.reports(),
      { channels: [watched], needs: new Map() },
      Date.now(),
      'en',
    )
    expect(picture.nodes.map(({ name }) => name)).toEqual(['one', 'two'])
    expect(picture.now).toMatchObject({ calls: 2, quota: 200, running: 6 })
    for (const bus of buses) await bus.close()
  })
})
