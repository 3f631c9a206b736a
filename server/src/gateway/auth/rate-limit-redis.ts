import type { Clock } from '../../lib/clock.ts'
import { randomAlphanumerics } from '../../lib/ids.ts'
import type { SharedRedis } from '../../lib/redis/redis-client.ts'
import { windowScript } from '../../lib/redis/sliding-window.ts'
import type { RateLimit, RateLimits } from '../ports.ts'

const unlimited = Number.MAX_SAFE_INTEGER
const keysOf = (userId: number): { all: string; successes: string } => ({
  // One slot, so that the script may touch both on a cluster.
  all: `{tollgate:relay:${userId}}:all`,
  successes: `{tollgate:relay:${userId}}:successes`,
})
const windowMs = ({ minutes }: RateLimits): number => minutes * 60_000

/** Requests of each user over all nodes. While Redis is away each node counts for itself in `alone`. */
export const openRedisRateLimit = (parts: { redis: SharedRedis; clock: Clock; alone: RateLimit }): RateLimit => ({
  async enter(userId, limits) {
    const { all, successes } = keysOf(userId)
    const window = windowMs(limits)
    const values = [
      parts.clock(),
      randomAlphanumerics(12),
      window,
      limits.count || unlimited,
      limits.count > 0 ? 1 : 0,
      window,
      limits.successCount || unlimited,
      0,
    ]
    try {
      const full = await parts.redis.run(windowScript, [all, successes], values)
      return full === 1 ? 'total' : full === 2 ? 'success' : 'allowed'
    } catch {
      return parts.alone.enter(userId, limits)
    }
  },

  succeeded(userId, limits) {
    if (limits.successCount === 0) return
    const values = [parts.clock(), randomAlphanumerics(12), windowMs(limits), unlimited, 1]
    parts.redis.run(windowScript, [keysOf(userId).successes], values).catch(() => parts.alone.succeeded(userId, limits))
  },
})
