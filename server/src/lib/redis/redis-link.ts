import { parseJson } from '@tollgate/contract/json'
import { z } from 'zod'
import type { Log } from '../log.ts'
import { newRedis } from './redis-client.ts'

const channel = 'tollgate:bus'
const envelope = z.object({ node: z.string(), topic: z.string(), message: z.string() })
const longestPauseMs = 5_000

export interface RedisLink {
  send(topic: string, message: string): void
  /** Resolves when this node has subscribed for the first time. */
  ready(): Promise<void>
  close(): Promise<void>
}

const read = (text: string): z.output<typeof envelope> | undefined => envelope.safeParse(parseJson(text)).data

/**
 * Carries bus messages between nodes by Redis publish/subscribe. Reconnects for ever. Messages sent while the connection is down
 * are queued; after a reconnect `onResync` reports that messages may be missing.
 */
export const openRedisLink = (parts: {
  redis: string
  /** Unique to this process: Redis returns its own messages, which are dropped. */
  node: string
  log: Log
  onMessage: (topic: string, message: string) => void
  onResync: () => void
}): RedisLink => {
  const first = Promise.withResolvers<void>()
  // Subscribed by hand: after Redis has confirmed the subscription, no message between resync and the next one is missed.
  const settings = {
    autoResubscribe: false,
    maxRetriesPerRequest: null,
    retryStrategy: (attempt: number) => Math.min(attempt * 100, longestPauseMs),
  }
  const sender = newRedis(parts.redis, settings)
  const receiver = newRedis(parts.redis, settings)
  let connectedBefore = false
  let troubled = false
  let closed = false

  const trouble = (error: Error): void => {
    if (!troubled && !closed) parts.log.warn('node_link_down', { error: error.message })
    troubled = true
  }
  const listen = async (): Promise<void> => {
    await receiver.subscribe(channel)
    if (connectedBefore) parts.onResync()
    if (troubled) parts.log.info('node_link_up')
    troubled = false
    connectedBefore = true
    first.resolve()
  }
  sender.on('error', trouble)
  receiver.on('error', trouble)
  receiver.on('ready', () => {
    listen().catch(trouble)
  })
  receiver.on('message', (_, text: string) => {
    const envelope = read(text)
    if (envelope !== undefined && envelope.node !== parts.node) parts.onMessage(envelope.topic, envelope.message)
  })

  return {
    send(topic, message) {
      sender.publish(channel, JSON.stringify({ node: parts.node, topic, message })).catch(trouble)
    },
    ready: () => first.promise,
    async close() {
      closed = true
      receiver.disconnect()
      // Messages published before closing are still sent, unless Redis is unavailable.
      if (sender.status === 'ready') await sender.quit().catch(trouble)
      else sender.disconnect()
    },
  }
}
