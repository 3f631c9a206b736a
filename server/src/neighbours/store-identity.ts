import { createHash, randomBytes } from 'node:crypto'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
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

const fileName = 'folder-id'

/**
 * A name of a data folder that stays the same over restarts and by whichever path it is opened, and differs from that of every other
 * folder. A copy has another one: the number of the file is part of it. Makes the file where there is none.
 */
export const folderIdentity = (dataDir: string): string => {
  const path = join(dataDir, fileName)
  try {
    writeFileSync(path, `${randomBytes(12).toString('base64url')}\n`, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  const text = `${readFileSync(path, 'utf8').trim()} ${statSync(path).ino}`
  return `folder:${createHash('sha256').update(text).digest('base64url').slice(0, 22)}`
}

/** Names what holds the reserved parts of balances for this process: its Redis, or its data folder where it has none. */
export const storeIdentity = (
  redis: Pick<SharedRedis, 'run'> | undefined,
  dataDir: string,
): (() => string | Promise<string | undefined>) => {
  const folder = folderIdentity(dataDir)
  return redis === undefined ? () => folder : redisIdentity(redis)
}
