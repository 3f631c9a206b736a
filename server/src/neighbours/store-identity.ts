import type { SharedRedis } from '../lib/redis/redis-client.ts'
import { folderIdentity } from './folder-identity.ts'
import { redisIdentity } from './redis-identity.ts'

/** Names what holds the reserved parts of balances for this process: its Redis, or its data folder where it has none. */
export const storeIdentity = (
  redis: Pick<SharedRedis, 'run'> | undefined,
  dataDir: string,
): (() => string | Promise<string | undefined>) => {
  const folder = folderIdentity(dataDir)
  return redis === undefined ? () => folder : redisIdentity(redis)
}
