import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { redisHere, type TestRedis, testRedis } from '../../../test/support/lib/redis.ts'
import { openWatchedNode, watchedRecord } from '../../../test/support/telemetry/watched-node.ts'
import { silentLog } from '../../lib/log.ts'
import { openBus } from '../../lib/redis/bus.ts'
import { sumOf } from './figures.ts'

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
    const [first, second] = buses.map((bus, index) => openWatchedNode(bus, ['one', 'two'][index] ?? ''))
    if (first === undefined || second === undefined) throw new Error('two nodes were opened')
    let sent = 0
    buses[0]?.subscribe('live', () => {
      sent += 1
    })
    first.node.listener.callRecorded(watchedRecord())
    second.node.listener.callRecorded(watchedRecord())
    expect(sent).toBe(0)
    await expect.poll(async () => (await first.nodes.reports()).length).toBe(2)
    const reports = await first.nodes.reports()
    expect(reports.map(({ name, running }) => [name, running]).toSorted()).toEqual([
      ['one', 3],
      ['two', 3],
    ])
    expect(sumOf(reports.flatMap(({ seconds }) => seconds))).toMatchObject({ calls: 2, quota: 200 })
    for (const { close } of [first, second]) close()
    for (const bus of buses) await bus.close()
  })
})
