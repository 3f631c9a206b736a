import type { Transaction } from 'kysely'
import type { Database } from '../../db/database.ts'
import { upsert } from '../../db/dialect.ts'
import type { Tables } from '../../db/schema.ts'
import type { FinishedCall } from '../../relay/ports.ts'

/** Calls whose client left before the first byte and paid the prompt, and what they paid in quota units. */
export interface AbortedSum {
  readonly count: number
  readonly quota: number
}

const day = 86_400
const mostRows = 250

interface Row {
  readonly user_id: number
  readonly created_at: number
  count: number
  quota: number
}

/** Adds charges of aborted calls to the sums of their users and days (UTC). Most batches have none. */
export const addAborted = async (trx: Transaction<Tables>, records: readonly FinishedCall[]): Promise<void> => {
  const rows = new Map<string, Row>()
  for (const { aborted, userId, at, quota } of records) {
    if (aborted !== true) continue
    const seconds = Math.floor(at / 1000)
    const start = seconds - (seconds % day)
    const row = rows.get(`${userId} ${start}`) ?? { user_id: userId, created_at: start, count: 0, quota: 0 }
    row.count += 1
    row.quota += quota
    rows.set(`${userId} ${start}`, row)
  }
  // The same order in every transaction, so that nodes do not lock each other out.
  const sorted = [...rows.values()].sort(
    (left, right) => left.user_id - right.user_id || left.created_at - right.created_at,
  )
  for (let start = 0; start < sorted.length; start += mostRows) {
    await upsert(trx, 'aborted_calls', sorted.slice(start, start + mostRows), {
      key: ['user_id', 'created_at'],
      add: ['count', 'quota'],
    })
  }
}

/** Charges of a user for aborted calls on the days (UTC) that begin at `from` or later; unix seconds. */
export const abortedSince = async ({ query }: Database, userId: number, from: number): Promise<AbortedSum> => {
  const row = await query
    .selectFrom('aborted_calls')
    .select(({ fn }) => [fn.sum('count').as('count'), fn.sum('quota').as('quota')])
    .where('user_id', '=', userId)
    .where('created_at', '>=', from)
    .executeTakeFirstOrThrow()
  return { count: Number(row.count ?? 0), quota: Number(row.quota ?? 0) }
}
