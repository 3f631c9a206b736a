import type { Bus } from '../../../src/lib/redis/bus.ts'
import type { RequestRecord } from '../../../src/relay/ports.ts'
import { openLiveNode } from '../../../src/telemetry/live/live-node.ts'
import { openLiveNodes } from '../../../src/telemetry/live/live-nodes.ts'

/** A charged call as the listener of a node gets it. */
export const watchedRecord = (more: Partial<RequestRecord> = {}): RequestRecord => ({
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

/** A node with calls that a test invents; `close` ends its timers. */
export const openWatchedNode = (bus: Bus, name: string, alone = false) => {
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
  const close = (): void => {
    nodes.close()
    node.close()
  }
  return { node, nodes, close }
}
