import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import type { LedgerDifference } from './difference.ts'

const pageSize = 500

type Sum = number | string

interface Sums {
  readonly id: number
  readonly charged: Sum
  readonly chargedEarlier: Sum
  readonly hours: Sum
  readonly days: Sum
}

/** Compares the sums that months and the dashboard are read from with the entries of each user, a page of users at a time. */
export const verifySums = async (database: Database): Promise<LedgerDifference[]> => {
  const differences: LedgerDifference[] = []
  for (let after = 0; ; ) {
    const page = await sumsAfter(database, after)
    const last = page.at(-1)
    if (last === undefined) return [...differences, ...(await usedDifferently(database, differences))]
    const moved = await movedDifferently(database, after, last.id)
    after = last.id
    differences.push(...moved, ...page.flatMap(differencesOf))
  }
}

interface Moved {
  readonly account: 'user' | 'aff'
  readonly id: number
  readonly reason: string
  readonly computed: Sum
  readonly stored: Sum
}

/**
 * Movements of users in the range after `after` whose sum by reason is not that of their hours: months name the reasons. One
 * statement, like below.
 */
const movedDifferently = async ({ query }: Database, after: number, last: number): Promise<LedgerDifference[]> => {
  const inRange = sql`account in ('user', 'aff') and reason <> 'charge' and account_id > ${after} and account_id <= ${last}`
  const { rows } = await sql<Moved>`
    select m.account as account, m.account_id as id, m.reason as reason, sum(m.entry) as computed, sum(m.hourly) as stored
    from (
      select account, account_id, reason, amount as entry, 0 as hourly from ledger_entries where ${inRange}
      union all
      select account, account_id, reason, 0 as entry, amount as hourly from ledger_hours where ${inRange}
    ) m
    group by m.account, m.account_id, m.reason having sum(m.entry) <> sum(m.hourly)`.execute(query)
  return rows.map(({ account, id, reason, computed, stored }) => ({
    account,
    id: Number(id),
    what: 'ledger_hours',
    stored: `${stored} by ${reason}`,
    computed,
  }))
}

interface Used {
  readonly id: number
  readonly model: string
}

/**
 * Models of users of whom the hours say something else than the days, in calls, tokens or quota, by key and channel: what is moved from
 * one to another leaves the sum of the user as it is. Users in `known` are left out.
 */
const usedDifferently = async (
  { query }: Database,
  known: readonly LedgerDifference[],
): Promise<LedgerDifference[]> => {
  const place = sql.raw('user_id, token_id, channel_id, model_name')
  const { rows } = await sql<Used>`
    select u.user_id as id, u.model_name as model
    from (
      select ${place}, quota as q, count as n, prompt_tokens as p, completion_tokens as c from usage_hours
      union all
      select ${place}, 0 - quota as q, 0 - count as n, 0 - prompt_tokens as p, 0 - completion_tokens as c from usage_days
    ) u
    group by ${place}
    having sum(u.q) <> 0 or sum(u.n) <> 0 or sum(u.p) <> 0 or sum(u.c) <> 0`.execute(query)
  const ids = new Set(known.map(({ id }) => id))
  return rows
    .filter(({ id }) => !ids.has(Number(id)))
    .map(({ id, model }) => ({
      account: 'user',
      id: Number(id),
      what: 'usage by model',
      stored: `of ${model} by hour`,
      computed: 'another by day',
    }))
}

const entries = (where: RawBuilder<unknown>): RawBuilder<Sum> => sql<Sum>`
  (select coalesce(sum(e.amount), 0) from ledger_entries e
  where e.account = 'user' and e.account_id = a.id and ${where})`

const hours = (where: RawBuilder<unknown>): RawBuilder<Sum> => sql<Sum>`
  (select coalesce(sum(e.amount), 0) from ledger_hours e
  where e.account = 'user' and e.account_id = a.id and ${where})`

const usage = (table: 'usage_hours' | 'usage_days'): RawBuilder<Sum> =>
  sql<Sum>`(select coalesce(sum(u.quota), 0) from ${sql.table(table)} u where u.user_id = a.id)`

/** One statement, so that all of it is of the same moment even while charges are written. */
const sumsAfter = async (database: Database, after: number): Promise<readonly Sums[]> => {
  const charge = sql`e.reason = 'charge'`
  // The usage sums follow corrections.
  const used = sql`e.reason in ('charge', 'correction')`
  const { rows } = await sql<Sums>`
    select a.id as id,
      ${entries(used)} as ${sql.ref('charged')}, ${hours(charge)} as ${sql.ref('chargedEarlier')},
      ${usage('usage_hours')} as ${sql.ref('hours')}, ${usage('usage_days')} as ${sql.ref('days')}
    from users a where a.id > ${after} order by a.id limit ${sql.lit(pageSize)}`.execute(database.query)
  return rows
}

const differencesOf = (sums: Sums): LedgerDifference[] => {
  const id = Number(sums.id)
  const found = (what: string, stored: bigint, computed: bigint): LedgerDifference[] =>
    stored === computed ? [] : [{ account: 'user', id, what, stored: String(stored), computed: String(computed) }]
  // Charges from before the usage sums began stand in the hours of movements.
  const charged = whole(sums.chargedEarlier) - whole(sums.charged)
  return [...found('usage_hours', whole(sums.hours), charged), ...found('usage_days', whole(sums.days), charged)]
}

const whole = (sum: Sum): bigint => BigInt(sum)
