import { reasonOf } from '../../lib/reason-of.ts'
import { newRedis } from '../../lib/redis/redis-client.ts'
import type { AccountChange, AccountStore, LeaseAnswer, OnRecall, Reservation } from './account-store.ts'
import type { AccountName } from './accounts.ts'
import { openRedisRecalls } from './redis-recalls.ts'
import {
  beatScript,
  changeScript,
  closeEpochScript,
  doubtScript,
  forgetScript,
  leasedScript,
  leaseScript,
  raiseTipScript,
  reserveScript,
  shareScript,
} from './redis-scripts.ts'

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
  readonly onRecall: OnRecall
}): Promise<AccountStore> => {
  // A command that was sent when the connection broke may or may not have run: repeating it would count twice.
  const redis = newRedis(parts.url, {
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
  const recalls = openRedisRecalls({ ...parts, redis })
  await recalls.ready

  const keyNamed = (name: string): string => `${prefix}${parts.epoch()}:${name}`
  const keyOf = ({ account, id }: AccountName): string => keyNamed(`${account}:${id}`)
  const nodesKey = (): string => keyNamed('nodes')

  const run = (script: string, accounts: readonly string[], values: readonly (string | number)[]): Promise<unknown> =>
    redis.eval(script, accounts.length + 1, nodesKey(), ...accounts, parts.node, parts.graceMs, ...values)

  /** Sends `list` in portions. `send` returns positions in its portion, from 1; returns the items at these positions. */
  const inPortions = async <T>(
    list: readonly T[],
    send: (portion: readonly T[]) => Promise<unknown>,
  ): Promise<readonly T[]> => {
    const sent: Promise<readonly T[]>[] = []
    for (let start = 0; start < list.length; start += keysPerCommand) {
      const portion = list.slice(start, start + keysPerCommand)
      sent.push(send(portion).then((places) => named(portion, places)))
    }
    return (await Promise.all(sent)).flat()
  }

  return {
    async reserve({ accounts, amount, spare, more }) {
      const unlessUnlimited = accounts.map((account) => flag(account.unlessUnlimited))
      const values = [amount, spare, flag(more), ...unlessUnlimited]
      return reservationOf(await run(reserveScript, accounts.map(keyOf), values), accounts)
    },
    async lease({ number, left, wanted, least, ...account }) {
      return leaseOf(await run(leaseScript, [keyOf(account)], [number, left, wanted, least]))
    },
    change: (changes) =>
      inPortions(changes, (portion) => run(changeScript, portion.map(keyOf), portion.flatMap(changeValues))),
    doubt: async (accounts) => {
      await inPortions(accounts, (portion) => run(doubtScript, portion.map(keyOf), []))
    },
    async recall(accounts) {
      const leased = await inPortions(accounts, (portion) => run(leasedScript, portion.map(keyOf), []))
      if (leased.length > 0) await recalls.send(leased)
      return leased
    },
    recallMs: 450,
    // The end of a node is detected only after the grace period, which is too long for a call.
    takenOver: async () => false,
    // Redis remembers what nodes have pending that are away.
    settled: async () => undefined,
    beat: async () => (await run(beatScript, [], [])) === 1,
    // All of it is sent at once: a change that followed the first part would be undone by a later one.
    async share(shares) {
      await Promise.all([
        run(shareScript, [], []),
        inPortions(shares, (portion) =>
          run(
            shareScript,
            portion.map(keyOf),
            portion.flatMap(({ pending, lease }) => [pending, lease]),
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
      await recalls.send('all')
    },
    close() {
      recalls.close()
      redis.disconnect()
    },
  }
}

const flag = (on: boolean): string => (on ? '1' : '0')

const changeValues = ({ pending, accountBalance, returned = 0 }: AccountChange): (string | number)[] =>
  accountBalance === undefined
    ? [pending, '', '', '', returned]
    : [pending, accountBalance.balance, accountBalance.version, flag(accountBalance.unlimited), returned]

const listOf = (answer: unknown): readonly unknown[] => (Array.isArray(answer) ? answer : [])

const named = <T>(portion: readonly T[], places: unknown): readonly T[] =>
  listOf(places).flatMap((place) => portion[Number(place) - 1] ?? [])

const leaseOf = (answer: unknown): LeaseAnswer => {
  const [granted = 0, most = 0] = listOf(answer).map(Number)
  return { granted, most }
}

const reservationOf = (answer: unknown, accounts: readonly AccountName[]): Reservation => {
  const [kind, ...details] = listOf(answer).map(String)
  const at = (place: string | undefined): AccountName[] => {
    const account = accounts[Number(place)]
    return account === undefined ? [] : [{ account: account.account, id: account.id }]
  }
  if (kind === 'held') return { kind, accounts: details.flatMap(at) }
  const [account] = at(details[0])
  if (kind === 'refused' && account !== undefined)
    return { kind, account, remain: Number(details[1]), leased: Number(details[2]) > 0, abandoned: false }
  return { kind: kind === 'unknown' ? 'unknown' : 'lost' }
}
