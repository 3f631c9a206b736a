import { expect, it, onTestFinished } from 'vitest'
import { redisHere, testRedis } from '../../test/support/lib/redis.ts'
import { silentLog } from '../lib/log.ts'
import { openBus } from '../lib/redis/bus.ts'
import { openLiveNode } from '../telemetry/live/live-node.ts'
import { openLiveNodes } from '../telemetry/live/live-nodes.ts'
import { nodesText, runningNodes } from './upgrade-command.ts'

it('says that nodes are of several versions', () => {
  const reports = [
    { name: 'a', version: 'v1.2.0', state: 'ready' as const },
    { name: 'b', version: 'v1.1.0', state: 'stopping' as const },
  ]
  expect(nodesText(reports)).toBe('Nodes that run: a v1.2.0, b v1.1.0 (stopping). They are of several versions.')
})

it.skipIf(!redisHere)('asks the nodes that share a Redis', async () => {
  const redis = await testRedis()
  await redis.start()
  const bus = openBus({ redis: redis.url, nodeName: 'a', log: silentLog })
  const node = openLiveNode({
    id: 'a:1',
    name: 'a',
    version: 'v1.1.0',
    clock: Date.now,
    isStopping: () => false,
    state: () => ({
      running: 0,
      holds: { count: 0, quota: 0 },
      leases: { count: 0, quota: 0 },
      waiting: { count: 0, oldestMs: 0 },
      accepting: true,
      journal: { segments: 0, bytes: 0 },
    }),
    dependencies: { database: async () => 1, redis: undefined },
  })
  const nodes = openLiveNodes({ id: 'a:1', node, bus, alone: false, clock: Date.now, failed: () => {} })
  onTestFinished(async () => {
    nodes.close()
    node.close()
    await bus.close()
    await redis.stop()
  })
  await bus.ready()
  expect(await runningNodes(redis.url)).toBe('Nodes that run: a v1.1.0.')
})
