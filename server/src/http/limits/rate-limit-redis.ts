import type { Clock } from '../../lib/clock.ts'
import { randomAlphanumerics } from '../../lib/ids.ts'
import type { SharedRedis } from '../../lib/redis/redis-client.ts'
import { windowScript } from '../../lib/redis/sliding-window.ts'
import type { RateLimiter } from './rate-limit.ts'

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
      return (await parts.redis.run(windowScript, [`tollgate:limit:${key}`], values)) === 0
    } catch {
      // The connection tells the operator once that it is down.
      return parts.alone.take(key, limit)
    }
  },
})
