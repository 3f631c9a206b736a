import { Redis } from 'ioredis'
import { reasonOf } from '../../lib/reason-of.ts'
import { closeEpochScript, raiseTipScript } from '../epoch/epoch-scripts.ts'
import type { AccountChange, AccountName, AccountStore, Reservation } from './account-store.ts'
import { beatScript, changeScript, doubtScript, forgetScript, reserveScript, shareScript } from './redis-scripts.ts'

// One slot, so that scripts may touch several keys of a cluster too.
const prefix = '{tollgate-ledger}:'
const keysPerCommand = 500

/** Connects and waits until Redis answers. `onUp` is called for each connection after the first. */
export const openRedisStore = async (parts: {
  readonly url: string
  readonly node: string
  /** Names the history of the database that all commands concern, see `epoch/stored-epoch.ts`. */
  readonly epoch: () => string
  readonly graceMs: number
  readonly onUp: () => void
  readonly onDown: (error: Error) => void
}): Promise<AccountStore> => {
  // A command that was sent when the connection broke may or may not have run: repeating it would count twice.
  const redis = new Redis(parts.url, {
    lazyConnect: true,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    commandTimeout: 5000,
    retryStrategy: (attempt) => Math.min(attempt * 100, 2000),
  })
  let fault: Error | undefined
  redis.on('error', (error: Error) => {
    fault = error
    parts.onDown(error)
  })
  try {
    await redis.connect()
    // A number that the server does not have is only a line in ioredis's log, and its first database would be used.
    await redis.select(redis.options.db ?? 0)
  } catch (error) {
    redis.disconnect()
    const cause = fault ?? error
    const reason = reasonOf(cause)
    throw new Error(`Cannot open Redis at ${new URL(parts.url).host}: ${reason}; check REDIS_CONN_STRING.`, { cause })
  }
  redis.on('ready', parts.onUp)

  const keyNamed = (name: string): string => `${prefix}${parts.epoch()}:${name}`
  const keyOf = ({ account, id }: AccountName): string => keyNamed(`${account}:${id}`)
  const nodesKey = (): string => keyNamed('nodes')

  const run = (script: string, accounts: readonly string[], values: readonly (string | number)[]): Promise<unknown> =>
    redis.eval(script, accounts.length + 1, nodesKey(), ...accounts, parts.node, parts.graceMs, ...values)

  const inPortions = async <T>(
    list: readonly T[],
    send: (portion: readonly T[]) => Promise<unknown>,
  ): Promise<void> => {
    const sent: Promise<unknown>[] = []
    for (let start = 0; start < list.length; start += keysPerCommand) {
      sent.push(send(list.slice(start, start + keysPerCommand)))
    }
    await Promise.all(sent)
  }

  return {
    async reserve({ userId, tokenId, tokenUnlimited, amount, spare, more }) {
      const accounts = [keyOf({ account: 'user', id: userId })]
      if (tokenId !== 0) accounts.push(keyOf({ account: 'token', id: tokenId }))
      const unlimited = tokenUnlimited === undefined ? '?' : flag(tokenUnlimited)
      return reservationOf(await run(reserveScript, accounts, [amount, unlimited, spare, flag(more)]))
    },
    change: (changes) =>
      inPortions(changes, (portion) => run(changeScript, portion.map(keyOf), portion.flatMap(changeValues))),
    doubt: (accounts) => inPortions(accounts, (portion) => run(doubtScript, portion.map(keyOf), [])),
    beat: async () => (await run(beatScript, [], [])) === 1,
    // All of it is sent at once: a change that followed the first part would be undone by a later one.
    async share(shares) {
      await Promise.all([
        run(shareScript, [], []),
        inPortions(shares, (portion) =>
          run(
            shareScript,
            portion.map(keyOf),
            portion.map(({ pending }) => pending),
          ),
        ),
      ])
    },
    forgetSilent: async (namePrefix, silentMs) => {
      await run(forgetScript, [], [namePrefix, silentMs])
    },
    leave: async () => {
      await redis.zrem(nodesKey(), parts.node)
    },
    async tip() {
      const [highest, id, movement] = await redis.hmget(keyNamed('tip'), 'highest', 'id', 'movement')
      const mark = typeof id === 'string' && typeof movement === 'string' ? { id: Number(id), movement } : undefined
      return { highest: Number(highest ?? 0), mark }
    },
    async raiseTip(highest, mark) {
      const values = mark === undefined ? [highest] : [highest, mark.id, mark.movement]
      return (await redis.eval(raiseTipScript, 1, keyNamed('tip'), ...values)) === 1
    },
    async closeEpoch() {
      await redis.eval(closeEpochScript, 1, nodesKey())
    },
    close: () => redis.disconnect(),
  }
}

const flag = (on: boolean): string => (on ? '1' : '0')

const changeValues = ({ pending, accountBalance }: AccountChange): (string | number)[] =>
  accountBalance === undefined
    ? [pending, '', '', '']
    : [pending, accountBalance.balance, accountBalance.version, flag(accountBalance.unlimited)]

const reservationOf = (answer: unknown): Reservation => {
  const [kind, detail, remain] = Array.isArray(answer) ? answer.map(String) : []
  if (kind === 'held') return { kind, tokenChecked: detail === 'token' }
  if (kind === 'refused') return { kind, account: detail === 'token' ? 'token' : 'user', remain: Number(remain) }
  return { kind: kind === 'unknown' ? 'unknown' : 'lost' }
}
