import type { Accounts } from './accounts.ts'
import { openRedisStore } from './redis-store.ts'
import { openSharedAccounts, type SharedAccountsParts } from './shared-accounts.ts'

export type RedisAccountsParts = Omit<SharedAccountsParts, 'openStore'> & { readonly url: string }

/** Accounts that several nodes share in Redis. */
export const openRedisAccounts = ({ url, ...parts }: RedisAccountsParts): Promise<Accounts> =>
  openSharedAccounts({ ...parts, openStore: (hooks) => openRedisStore({ url, ...hooks }) })
