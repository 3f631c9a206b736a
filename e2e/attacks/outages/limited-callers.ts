import type { DatabaseAddress } from '../../../server/src/db/database.ts'
import { openDatabase } from '../../../server/src/db/engines/open.ts'
import { addCustomer, addKey, type Person } from '../../support/operator.ts'
import type { Payer } from '../kills/call-kinds.ts'
import { chatCost, ofTheFrugal, ofTheLimited, ofTheParallel } from '../kills/call-kinds.ts'
import type { Finished } from '../kills/load.ts'
import type { CountingUpstream } from '../kills/upstream.ts'

/** Result of a limit. */
export interface LimitResult {
  readonly amount: number
  /** Calls, quota units, or calls at the same time that went through. */
  readonly through: number
  /** Calls that it refused. */
  readonly refused: number
  /** How far the limit was passed at most, before it was raised or at the end. */
  readonly beyond: number
  /** How much may go beyond the amount after what the nodes went through. */
  readonly allowance: number
}

/** Failures of processes that matter to limits. */
export interface Losses {
  /** Processes that were killed, with their leases and the calls that they had under way. */
  readonly killed: number
  /** Those that started while Redis was away and so met no other: each takes a limit for its own until Redis is back. */
  readonly startedAlone: number
}

/** Calls as clients and the upstream have seen them so far. */
export interface Seen {
  readonly finished: readonly Finished[]
  readonly upstream: Pick<CountingUpstream, 'served' | 'mostAtOnce'>
}

export interface LimitedCallers {
  readonly keys: Readonly<Partial<Record<Payer, readonly string[]>>>
  /** Lets so many more calls through where a limit that is for good has refused some since the last time. */
  raise(seen: Seen): Promise<void>
  /** Compares what went through with the limits. The servers must have stopped. */
  judge(
    seen: Seen & {
      readonly database: DatabaseAddress
      readonly losses: Losses
      /** Calls that one caller may have under way. */
      readonly clients: number
    },
  ): Promise<Readonly<Record<'requests' | 'money' | 'running', LimitResult>>>
}

const balance = 1_000_000_000_000
/** Calls that each raise lets through. */
const step = 40
const parallelCalls = 3
const processes = 6

/** A lease is at most half of what is left, divided among the processes. */
const leaseOf = (amount: number): number => Math.ceil(amount / 2 / processes)

/**
 * Three users with a limit each: of requests and of money for good, whose totals can be compared at the end, and of calls at the same
 * time, which the upstream sees.
 */
export const openLimitedCallers = async (url: string, operator: Person): Promise<LimitedCallers> => {
  const refusals = (payer: Payer, finished: readonly Finished[]): number =>
    finished.filter(({ kind, outcome }) => kind.payer === payer && outcome.status === 429).length

  /** Calls that reached the upstream, and what those come to that a client has whole. */
  const reached = ({ finished, upstream }: Seen): number =>
    finished.filter(
      ({ kind, mark }) => kind.payer === ofTheLimited.payer && (upstream.served.get(mark)?.received ?? 0) > 0,
    ).length
  const answered = ({ finished }: Seen): number =>
    finished.filter(({ kind, outcome }) => kind.payer === ofTheFrugal.payer && outcome.kind === 'complete').length *
    chatCost

  const open = async (name: Payer, limit: { measure: string; amount: number; window: string }) => {
    const person = await addCustomer(url, operator, name, balance)
    const bodyOf = (amount: number) => ({
      ...limit,
      name,
      amount,
      subjects: [{ kind: 'user', value: String(person.id) }],
    })
    const { id } = await operator.must<{ id: number }>('POST', '/api/limits', bodyOf(limit.amount))
    let { amount } = limit
    let [refused, beyond] = [0, 0]
    return {
      userId: person.id,
      key: await addKey(person),
      amount: () => amount,
      beyond: (through: number): number => Math.max(beyond, through - amount),
      async raise({ finished }: Seen, through: number) {
        const now = refusals(name, finished)
        if (now === refused) return
        refused = now
        beyond = Math.max(beyond, through - amount)
        amount += limit.amount
        await operator.must('PUT', `/api/limits/${id}`, bodyOf(amount))
      },
    }
  }
  const requests = await open('limited', { measure: 'requests', amount: step, window: 'forever' })
  const money = await open('frugal', { measure: 'money', amount: step * chatCost, window: 'forever' })
  const running = await open('parallel', { measure: 'running', amount: parallelCalls, window: 'now' })

  return {
    keys: {
      [ofTheLimited.payer]: [requests.key],
      [ofTheFrugal.payer]: [money.key],
      [ofTheParallel.payer]: [running.key],
    },

    async raise(seen) {
      await requests.raise(seen, reached(seen))
      await money.raise(seen, answered(seen))
    },

    async judge({ database: address, finished, upstream, losses: { killed, startedAlone }, clients }) {
      const database = await openDatabase(address)
      const { used_quota: spent } = await database.query
        .selectFrom('users')
        .select('used_quota')
        .where('id', '=', money.userId)
        .executeTakeFirstOrThrow()
      await database.close()
      const calls = reached({ finished, upstream })
      const atOnce = upstream.mostAtOnce('long')
      const underWay = clients * chatCost
      return {
        requests: {
          amount: requests.amount(),
          through: calls,
          beyond: requests.beyond(calls),
          refused: refusals(ofTheLimited.payer, finished),
          allowance: killed * leaseOf(step) + startedAlone * step,
        },
        money: {
          amount: money.amount(),
          through: Number(spent),
          beyond: money.beyond(Number(spent)),
          refused: refusals(ofTheFrugal.payer, finished),
          // Calls under way in a killed process are free again; its journal charges them later.
          allowance: killed * (leaseOf(step * chatCost) + underWay) + startedAlone * step * chatCost,
        },
        running: {
          amount: running.amount(),
          through: atOnce,
          beyond: running.beyond(atOnce),
          refused: refusals(ofTheParallel.payer, finished),
          allowance: startedAlone * parallelCalls,
        },
      }
    },
  }
}
