import { randomUUID } from 'node:crypto'
import type { Log } from '../log.ts'
import { type BusListener, type LocalBus, localBus } from './local-bus.ts'
import { openRedisLink, type RedisLink } from './redis-link.ts'

/** Transport of notices to the other nodes, or to the other workers of one. */
export type BusLink = RedisLink

/** Notifies all nodes of changes. Messages are short, e.g. an id; listeners read the changed data from the database. */
export interface Bus {
  /** Calls each listener once: those of this node before it returns, those of other nodes soon after. */
  publish(topic: string, message?: string): void
  /** Returns the function that ends the subscription. */
  subscribe(topic: string, listener: BusListener): () => void
  /** Resolves when this node receives messages of the others; at once on a single node. */
  ready(): Promise<void>
  close(): Promise<void>
}

const singleNodeBus = (local: LocalBus): Bus => ({
  publish: (topic, message = '') => local.deliver(topic, { kind: 'message', message, own: true }),
  subscribe: local.subscribe,
  ready: async () => {},
  close: async () => local.clear(),
})

/**
 * Opens the bus: among all nodes that share `redis`, else among the workers of this node by `openLink`, else within this
 * process alone. `nodeName` is only for debugging; nodes are identified by a random id.
 */
export const openBus = (parts: {
  redis?: string | undefined
  openLink?: ((onMessage: (topic: string, message: string) => void) => BusLink) | undefined
  nodeName: string
  log: Log
}): Bus => {
  const local = localBus(parts.log)
  const onMessage = (topic: string, message: string): void =>
    local.deliver(topic, { kind: 'message', message, own: false })
  const link =
    parts.redis === undefined
      ? parts.openLink?.(onMessage)
      : openRedisLink({
          redis: parts.redis,
          node: `${parts.nodeName}:${randomUUID()}`,
          log: parts.log,
          onMessage,
          onResync: () => local.deliverToAll({ kind: 'resync' }),
        })
  if (link === undefined) return singleNodeBus(local)
  return {
    publish(topic, message = '') {
      local.deliver(topic, { kind: 'message', message, own: true })
      link.send(topic, message)
    },
    subscribe: local.subscribe,
    ready: link.ready,
    async close() {
      local.clear()
      await link.close()
    },
  }
}
