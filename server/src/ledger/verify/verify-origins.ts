import { parseObject } from '@tollgate/contract/json'
import type { Database } from '../../db/database.ts'
import { effectiveCharges } from '../corrections/effective.ts'
import { taskRefund } from '../corrections/task-charges.ts'
import type { LedgerDifference } from './difference.ts'

const pageSize = 500

/** `redemptions.status` of a code that was redeemed. */
const redeemedStatus = 3

/** Growth of a balance, and its stated reason. */
interface Origin {
  /** Of the order or the code. */
  readonly id: number
  readonly userId: number
  readonly quota: number
}

interface Entry {
  readonly id: number
  readonly movement: string
  readonly account_id: number
  readonly amount: number
  readonly detail: string
}

/**
 * Compares orders and redemption codes with what was credited for them, and refunds with the charges that they give back. Each is
 * written in one transaction with its entries, so this may run beside a working gateway.
 */
export const verifyOrigins = async (database: Database): Promise<LedgerDifference[]> => [
  ...(await verifyOrders(database)),
  ...(await verifyCodes(database)),
  ...(await verifyRefunds(database)),
  ...(await verifyTasks(database)),
]

const difference = (
  { id, what, movement }: { readonly id: number; readonly what: string; readonly movement: string },
  stored: number | string,
  computed: number | string,
): LedgerDifference => ({ account: 'user', id, what, stored, computed, movement })

const entriesAfter = ({ query }: Database, reason: 'topup' | 'redeem' | 'refund', after: number): Promise<Entry[]> =>
  query
    .selectFrom('ledger_entries')
    .select(['id', 'movement', 'account_id', 'amount', 'detail'])
    .where('reason', '=', reason)
    .where('account', '=', 'user')
    .where('id', '>', after)
    .orderBy('id')
    .limit(pageSize)
    .execute()

const entriesOf = async ({ query }: Database, movements: readonly string[]): Promise<ReadonlyMap<string, Entry>> => {
  if (movements.length === 0) return new Map()
  const rows = await query
    .selectFrom('ledger_entries')
    .select(['id', 'movement', 'account_id', 'amount', 'detail'])
    .where('account', '=', 'user')
    .where('movement', 'in', [...movements])
    .execute()
  return new Map(rows.map((row) => [row.movement, row]))
}

/** Pages of rows by their ids, until there are no more. */
async function* pagesOf<Row extends { readonly id: number }>(
  read: (after: number) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
  for (let after = 0; ; ) {
    const page = await read(after)
    const last = page.at(-1)
    if (last === undefined) return
    after = last.id
    yield page
  }
}

interface Credits {
  readonly what: string
  readonly reason: 'topup' | 'redeem'
  /** Begins the names of their movements; the number follows. */
  readonly prefix: string
  /** Those that must have an entry. */
  paidAfter(after: number): Promise<readonly Origin[]>
  /** Which of these numbers may have an entry. */
  paidAmong(ids: readonly number[]): Promise<readonly { readonly id: number }[]>
}

const verifyCredits = async (database: Database, credits: Credits): Promise<LedgerDifference[]> => {
  const { what, prefix, reason } = credits
  const found: LedgerDifference[] = []
  for await (const origins of pagesOf(credits.paidAfter)) {
    const entries = await entriesOf(
      database,
      origins.map(({ id }) => `${prefix}${id}`),
    )
    for (const { id, userId, quota } of origins) {
      const movement = `${prefix}${id}`
      const entry = entries.get(movement)
      if (entry?.account_id !== userId) found.push(difference({ id: userId, what, movement }, quota, 'not credited'))
      else if (entry.amount !== quota) found.push(difference({ id: userId, what, movement }, quota, entry.amount))
    }
  }
  for await (const entries of pagesOf((after) => entriesAfter(database, reason, after))) {
    const numbered = entries.flatMap((entry) => {
      const id = entry.movement.startsWith(prefix) ? Number(entry.movement.slice(prefix.length)) : Number.NaN
      return Number.isSafeInteger(id) ? [{ ...entry, origin: id }] : []
    })
    if (numbered.length === 0) continue
    const rows = await credits.paidAmong(numbered.map(({ origin }) => origin))
    const paid = new Set(rows.map(({ id }) => id))
    for (const { origin, account_id: id, movement, amount } of numbered) {
      if (!paid.has(origin)) found.push(difference({ id, what, movement }, 'not paid', amount))
    }
  }
  return found
}

const verifyOrders = (database: Database): Promise<LedgerDifference[]> => {
  const paid = () => database.query.selectFrom('top_ups').where('status', '=', 'success')
  return verifyCredits(database, {
    what: 'order',
    reason: 'topup',
    prefix: 'topup:',
    // Orders from before there was a ledger have no time of their end.
    paidAfter: (after) =>
      paid()
        .select(['id', 'user_id as userId', 'quota'])
        .where('complete_time', '>', 0)
        .where('id', '>', after)
        .orderBy('id')
        .limit(pageSize)
        .execute(),
    paidAmong: (ids) => paid().select('id').where('id', 'in', ids).execute(),
  })
}

const verifyCodes = (database: Database): Promise<LedgerDifference[]> => {
  const used = () => database.query.selectFrom('redemptions').where('status', '=', redeemedStatus)
  return verifyCredits(database, {
    what: 'redemption code',
    reason: 'redeem',
    prefix: 'redeem:',
    // Codes that came used from another gateway have no batch: their quota is in an opening balance.
    paidAfter: (after) =>
      used()
        .select(['id', 'used_user_id as userId', 'quota'])
        .where('batch_id', 'is not', null)
        .where('id', '>', after)
        .orderBy('id')
        .limit(pageSize)
        .execute(),
    paidAmong: (ids) => used().select('id').where('id', 'in', ids).execute(),
  })
}

/** The refunded request of an entry; empty for none, as for tasks of earlier versions. */
const requestOf = ({ detail }: Entry): string => {
  const { request_id: requestId } = parseObject(detail)
  return typeof requestId === 'string' ? requestId : ''
}

/** Refunds never exceed the cost of their call. */
const verifyRefunds = async (database: Database): Promise<LedgerDifference[]> => {
  const found: LedgerDifference[] = []
  for await (const page of pagesOf((after) => entriesAfter(database, 'refund', after))) {
    const named = page
      .map((entry) => ({ ...entry, requestId: requestOf(entry) }))
      .filter((entry) => entry.requestId !== '')
    const charges = await effectiveCharges(
      database.query,
      named.map(({ requestId }) => requestId),
    )
    for (const { account_id: id, movement, amount, requestId } of named) {
      const charge = charges.get(requestId)
      if (charge?.userId !== id)
        found.push(difference({ id, what: 'refund', movement }, amount, `no charge ${requestId}`))
      else if (amount > charge.quota)
        found.push(difference({ id, what: 'refund', movement }, amount, `at most ${charge.quota}`))
    }
  }
  return found
}

/** A task that failed was paid back. */
const verifyTasks = async (database: Database): Promise<LedgerDifference[]> => {
  const found: LedgerDifference[] = []
  for (const [table, platform] of [
    ['midjourneys', 'midjourney'],
    ['tasks', 'suno'],
  ] as const) {
    const failedAfter = (after: number) =>
      database.query
        .selectFrom(table)
        .select(['id', 'user_id', 'request_id'])
        .where('status', '=', 'FAILURE')
        .where('progress', '=', '100%')
        .where('quota', '>', 0)
        .where('request_id', 'is not', null)
        .where('id', '>', after)
        .orderBy('id')
        .limit(pageSize)
        .execute()
    for await (const tasks of pagesOf(failedAfter)) {
      const charges = await effectiveCharges(
        database.query,
        tasks.flatMap(({ request_id: requestId }) => requestId ?? []),
      )
      const refunds = await entriesOf(
        database,
        tasks.map(({ id }) => taskRefund(platform, id)),
      )
      for (const { id, user_id: userId, request_id: requestId } of tasks) {
        const quota = charges.get(requestId ?? '')?.quota ?? 0
        const back = refunds.get(taskRefund(platform, id))?.amount ?? 0
        if (back !== quota)
          found.push(
            difference({ id: userId, what: 'refund of a task', movement: taskRefund(platform, id) }, back, quota),
          )
      }
    }
  }
  return found
}
