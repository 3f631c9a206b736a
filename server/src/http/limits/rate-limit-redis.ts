import type { Clock } from '../../lib/clock.ts'
import { randomAlphanumerics } from '../../lib/ids.ts'
import type { SharedRedis } from '../../lib/redis/redis-client.ts'
import { windowScript } from '../../lib/redis/sliding-window.ts'
import type { RateLimiter } from './rate-limit.ts'

const giveBackScript = `
redis.call('ZPOPMAX', KEYS[1])
return 0
`

const redisKey = (key: string): string => `tollgate:limit:${key}`

/** One count for all nodes. While Redis is away each node counts for itself in `alone`. */
export const createRedisRateLimiter = (parts: {
  redis: SharedRedis
  clock: Clock
  alone: RateLimiter
}): RateLimiter => ({
  async take(key, limit) {
    if (!limit.enabled) return true
    const values = [parts.clock(), randomAlphanumerics(12), limit.seconds * 1000, limit.count, 1]
    try {
      return (await parts.redis.run(windowScript, [redisKey(key)], values)) === 0
    } catch {
      // The connection tells the operator once that it is down.
      return parts.alone.take(key, limit)
    }
  },

  async giveBack(key) {
    await parts.redis.run(giveBackScript, [redisKey(key)], []).catch(() => parts.alone.giveBack(key))
  },
})
