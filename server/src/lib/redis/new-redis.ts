import type { Redis, RedisOptions } from 'ioredis'
import { packageOnUse } from '../on-first-use.ts'

const ioredis = packageOnUse<typeof import('ioredis')>('ioredis')

/** The ways to connect that are used here: an address with its options. */
type RedisClass = new (url: string, options: RedisOptions) => Redis

/** A connection to a Redis; the package is loaded with the first. */
export const newRedis = (url: string, options: RedisOptions): Redis => {
  const Client: RedisClass = ioredis().Redis
  return new Client(url, options)
}
