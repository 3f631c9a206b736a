import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { SharedRedis } from '../lib/redis/redis-client.ts'

const identityKey = '{tollgate:identity}'

/** KEYS: where Redis keeps its name. ARGV: the name that it gets where it has none. Answers its name. */
const identityScript = `
redis.call('SET', KEYS[1], ARGV[1], 'NX')
return redis.call('GET', KEYS[1])
`

/**
 * The name that a Redis keeps of itself, which all of its nodes read. One that comes back empty gets the name that was known of it. While
 * Redis is away, the name that was read last holds; undefined before the first.
 */
export const redisIdentity = (redis: Pick<SharedRedis, 'run'>): (() => Promise<string | undefined>) => {
  let known: string | undefined
  return async () => {
    try {
      const proposed = known ?? randomBytes(16).toString('base64url')
      known = z
        .string()
        .min(1)
        .max(100)
        .parse(await redis.run(identityScript, [identityKey], [proposed]))
    } catch {
      // The identity that was read last stays valid.
    }
    return known === undefined ? undefined : `redis:${known}`
  }
}
