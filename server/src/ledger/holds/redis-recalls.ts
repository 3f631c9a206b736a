import { parseJson } from '@tollgate/contract/json'
import type { Redis } from 'ioredis'
import { z } from 'zod'
import type { OnRecall } from './account-store.ts'
import type { AccountName } from './accounts.ts'

const channel = '{tollgate-ledger}:recall'
const mostAccounts = 10_000
const account = z.object({ account: z.enum(['user', 'token', 'cap']), id: z.number().int() })
const message = z.object({
  epoch: z.string(),
  from: z.string(),
  accounts: z.union([z.literal('all'), z.array(account).max(mostAccounts)]),
})

const read = (text: string): z.output<typeof message> | undefined => message.safeParse(parseJson(text)).data

/** Carries what nodes ask each other to return of their leases, by publish/subscribe. */
export interface RedisRecalls {
  /** To all other nodes of the epoch in use. Rejects when Redis does not answer. */
  send(accounts: readonly AccountName[] | 'all'): Promise<void>
  /** Resolves when this node receives them. */
  readonly ready: Promise<void>
  close(): void
}

/** Listens by a connection of its own. After each reconnect everything is returned, since messages may have been missed. */
export const openRedisRecalls = (parts: {
  readonly redis: Redis
  readonly node: string
  readonly epoch: () => string
  readonly onDown: (error: Error) => void
  readonly onRecall: OnRecall
}): RedisRecalls => {
  const { redis, node, epoch, onDown, onRecall } = parts
  const receiver = redis.duplicate({
    lazyConnect: false,
    enableOfflineQueue: true,
    maxRetriesPerRequest: null,
    autoResubscribe: false,
    commandTimeout: undefined,
  })
  const first = Promise.withResolvers<void>()
  let connectedBefore = false
  receiver.on('error', onDown)
  receiver.on('ready', () => {
    receiver
      .subscribe(channel)
      .then(() => {
        if (connectedBefore) onRecall('all')
        connectedBefore = true
        first.resolve()
      })
      .catch(onDown)
  })
  receiver.on('message', (_, text: string) => {
    const received = read(text)
    if (received === undefined || received.from === node || received.epoch !== epoch()) return
    onRecall(received.accounts)
  })

  return {
    async send(accounts) {
      const names = accounts === 'all' ? accounts : accounts.map(({ account, id }) => ({ account, id }))
      await redis.publish(channel, JSON.stringify({ epoch: epoch(), from: node, accounts: names }))
    },
    ready: first.promise,
    close: () => receiver.disconnect(),
  }
}
