import type { Bus } from '../../../src/lib/redis/bus.ts'
import { localBus } from '../../../src/lib/redis/local-bus.ts'

/** Buses of so many nodes in one process: each message is with all of them at once. */
export const linkedBuses = (nodes: number): Pick<Bus, 'publish' | 'subscribe' | 'ready'>[] => {
  const log = { error: () => {} } as unknown as Parameters<typeof localBus>[0]
  const buses = Array.from({ length: nodes }, () => localBus(log))
  return buses.map((bus) => ({
    subscribe: bus.subscribe,
    ready: async () => {},
    publish: (topic, message = '') => {
      for (const other of buses) other.deliver(topic, { kind: 'message', message, own: other === bus })
    },
  }))
}
