import type { Redis, RedisOptions } from 'ioredis'
import type { Log } from '../log.ts'
import { packageOnUse } from '../on-first-use.ts'

const ioredis = packageOnUse<typeof import('ioredis')>('ioredis')

/** The ways to connect that are used here: an address with its options. */
type RedisClass = new (url: string, options: RedisOptions) => Redis

/** A connection to a Redis; the package is loaded with the first. */
export const newRedis = (url: string, options: RedisOptions): Redis => {
  const Client: RedisClass = ioredis().Redis
  return new Client(url, options)
}

/** A Redis for counters that nodes share. Callers need a fallback, because commands reject while Redis is unavailable. */
export interface SharedRedis {
  /** Runs a Lua script atomically. Rejects at once while Redis is unavailable, and after a second without an answer. */
  run(script: string, keys: readonly string[], values: readonly (string | number)[]): Promise<unknown>
  close(): void
}

const longestPauseMs = 5_000
const longestAnswerMs = 1_000

/** Connects in the background and for ever; resolves at the first answer of Redis, or after a second without one. */
export const openSharedRedis = async (parts: {
  url: string
  /** Prefix of every key: ids are only valid within one epoch of the database. */
  epoch?: () => string
  log: Log
}): Promise<SharedRedis> => {
  // A command that was sent when the connection broke may have run; repeating it would count twice.
  const redis = newRedis(parts.url, {
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    commandTimeout: longestAnswerMs,
    retryStrategy: (attempt) => Math.min(attempt * 100, longestPauseMs),
  })
  const up = Promise.withResolvers<void>()
  let troubled = false
  redis.on('error', (error: Error) => {
    if (!troubled) parts.log.warn('redis_limits_local', { error: error.message })
    troubled = true
  })
  redis.on('ready', () => {
    if (troubled) parts.log.info('redis_limits_shared')
    troubled = false
    up.resolve()
  })
  const late = setTimeout(up.resolve, longestAnswerMs)
  await up.promise
  clearTimeout(late)
  const withEpoch = (key: string): string => (parts.epoch === undefined ? key : `${parts.epoch()}:${key}`)
  return {
    run: (script, keys, values) => redis.eval(script, keys.length, ...keys.map(withEpoch), ...values),
    close: () => redis.disconnect(),
  }
}
