import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import type { Difference } from './difference.ts'

const pageSize = 500

type Sum = number | string

interface Sums {
  readonly id: number
  readonly charged: Sum
  readonly moved: Sum
  readonly earned: Sum
  readonly chargedEarlier: Sum
  readonly movedHours: Sum
  readonly earnedHours: Sum
  readonly hours: Sum
  readonly days: Sum
}

/** Compares the sums that statements and the dashboard read with the entries of each user, a page of users at a time. */
export const verifySums = async (database: Database): Promise<Difference[]> => {
  const differences: Difference[] = []
  for (let after = 0; ; ) {
    const page = await sumsAfter(database, after)
    const last = page.at(-1)
    if (last === undefined) return differences
    after = last.id
    differences.push(...page.flatMap(differencesOf))
  }
}

const entries = (account: 'user' | 'aff', where: RawBuilder<unknown>): RawBuilder<Sum> => sql<Sum>`
  (select coalesce(sum(e.amount), 0) from ledger_entries e
  where e.account = ${sql.lit(account)} and e.account_id = a.id and ${where})`

const hours = (account: 'user' | 'aff', where: RawBuilder<unknown>): RawBuilder<Sum> => sql<Sum>`
  (select coalesce(sum(e.amount), 0) from ledger_hours e
  where e.account = ${sql.lit(account)} and e.account_id = a.id and ${where})`

const usage = (table: 'usage_hours' | 'usage_days'): RawBuilder<Sum> =>
  sql<Sum>`(select coalesce(sum(u.quota), 0) from ${sql.table(table)} u where u.user_id = a.id)`

/** One statement, so that all of it is of the same moment even while charges are written. */
const sumsAfter = async (database: Database, after: number): Promise<readonly Sums[]> => {
  const [charge, other] = [sql`e.reason = 'charge'`, sql`e.reason <> 'charge'`]
  // The usage sums follow corrections.
  const used = sql`e.reason in ('charge', 'correction')`
  const { rows } = await sql<Sums>`
    select a.id as id,
      ${entries('user', used)} as ${sql.ref('charged')}, ${entries('user', other)} as ${sql.ref('moved')},
      ${entries('aff', other)} as ${sql.ref('earned')}, ${hours('user', charge)} as ${sql.ref('chargedEarlier')},
      ${hours('user', other)} as ${sql.ref('movedHours')}, ${hours('aff', other)} as ${sql.ref('earnedHours')},
      ${usage('usage_hours')} as ${sql.ref('hours')}, ${usage('usage_days')} as ${sql.ref('days')}
    from users a where a.id > ${after} order by a.id limit ${sql.lit(pageSize)}`.execute(database.query)
  return rows
}

const differencesOf = (sums: Sums): Difference[] => {
  const id = Number(sums.id)
  const found = (account: 'user' | 'aff', what: string, stored: bigint, computed: bigint): Difference[] =>
    stored === computed ? [] : [{ account, id, what, stored: String(stored), computed: String(computed) }]
  // Charges from before the usage sums began stand in the hours of movements.
  const charged = whole(sums.chargedEarlier) - whole(sums.charged)
  return [
    ...found('user', 'ledger_hours', whole(sums.movedHours), whole(sums.moved)),
    ...found('aff', 'ledger_hours', whole(sums.earnedHours), whole(sums.earned)),
    ...found('user', 'usage_hours', whole(sums.hours), charged),
    ...found('user', 'usage_days', whole(sums.days), charged),
  ]
}

const whole = (sum: Sum): bigint => BigInt(sum)
