import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import type { LedgerHoursTable } from '../../db/schema.ts'
import { dayTableOf, splitRange, type UsageSpan, usageBegins } from '../usage/usage.ts'
import { usagePeriod } from '../usage/usage-of.ts'
import { summed, totalOf, usageRows } from '../usage/usage-pieces.ts'
import type { Period } from './months.ts'

/** Whose entries; undefined for all users together. */
export type Whose = number | undefined

export interface MovementSum {
  readonly reason: LedgerHoursTable['reason']
  readonly count: number
  /** Signed quota units. */
  readonly amount: number
}

export interface ChargeSum {
  readonly model: string
  /** 0 for the playground, and where all users are summed. */
  readonly tokenId: number
  readonly tokenName: string
  readonly count: number
  readonly quota: number
  readonly promptTokens: number
  readonly completionTokens: number
}

type Account = LedgerHoursTable['account']

/** Reads sums of ledger entries. Each is a few queries along an index, however many charges there are. */
export interface StatementSums {
  /** What the entries before a moment come to, without what the usage sums have: charges and their corrections. */
  movedBefore(account: Account, whose: Whose, at: number): Promise<number>
  movements(account: Account, whose: Whose, period: Period): Promise<MovementSum[]>
  /** The same by hour, oldest first. */
  movementHours(userId: number, period: Period): Promise<(MovementSum & { readonly at: number })[]>
  /** What was charged before a moment, corrections included. */
  chargedBefore(whose: Whose, at: number): Promise<number>
  /** What was charged by model and, for one user, by key; without corrections. */
  charges(whose: Whose, period: Period): Promise<ChargeSum[]>
}

const day = 86_400

const movementSums = [
  sql<number | string>`sum(${sql.ref('count')})`.as('count'),
  sql<number | string>`sum(amount)`.as('amount'),
] as const

interface Row {
  readonly reason: LedgerHoursTable['reason']
  readonly count: number | string
  readonly amount: number | string
}

const movementOf = ({ reason, count, amount }: Row): MovementSum => ({
  reason,
  count: Number(count),
  amount: Number(amount),
})

export const openStatementSums = (database: Database): StatementSums => {
  const { query } = database

  const rowsOf = (account: Account, whose: Whose) => {
    const rows = query.selectFrom('ledger_hours').where('account', '=', account)
    return whose === undefined ? rows : rows.where('account_id', '=', whose)
  }

  const quotaOf = async (whose: Whose, spans: readonly UsageSpan[]): Promise<number> => {
    if (spans.length === 0) return 0
    const rows = usageRows(database, { filter: { userId: whose }, spans }, (part) => part)
    const found = await query
      .selectFrom(rows.as('used'))
      .select(sql<number | string | null>`sum(quota)`.as('quota'))
      .executeTakeFirst()
    return Number(found?.quota ?? 0)
  }

  /** 28 days each, named one by one: the index begins with the time and goes on with the user. */
  const quotaOfPeriods = async (userId: number, from: number, to: number): Promise<number> => {
    if (from >= to) return 0
    const starts = Array.from({ length: (to - from) / usagePeriod }, (_, index) => from + index * usagePeriod)
    const found = await query
      .selectFrom('usage_user_periods')
      .where('created_at', 'in', starts)
      .where('user_id', '=', userId)
      .select(({ fn }) => fn.sum('quota').as('quota'))
      .executeTakeFirst()
    return Number(found?.quota ?? 0)
  }

  /** Quota that corrections added to a key and a model. */
  const corrections = async (whose: Whose, { from, to }: Period): Promise<ReadonlyMap<string, number>> => {
    const rows = query
      .selectFrom('correction_hours')
      .where('created_at', '>=', from)
      .where('created_at', '<', to)
      .select(['model_name', sql<number | string>`sum(quota)`.as('quota')])
    const found =
      whose === undefined
        ? await rows.groupBy('model_name').select(sql<number>`0`.as('token')).execute()
        : await rows
            .where('user_id', '=', whose)
            .groupBy(['model_name', 'token_id'])
            .select('token_id as token')
            .execute()
    return new Map(found.map(({ token, model_name, quota }) => [`${token} ${model_name}`, Number(quota)]))
  }

  return {
    async movedBefore(account, whose, at) {
      const found = await rowsOf(account, whose)
        .where('created_at', '<', at)
        .where('reason', '<>', 'correction')
        .select(({ fn }) => fn.sum('amount').as('amount'))
        .executeTakeFirst()
      return Number(found?.amount ?? 0)
    },

    async movements(account, whose, { from, to }) {
      const rows = await rowsOf(account, whose)
        .where('created_at', '>=', from)
        .where('created_at', '<', to)
        .groupBy('reason')
        .orderBy('reason')
        .select('reason')
        .select(movementSums)
        .execute()
      return rows.map(movementOf)
    },

    async movementHours(userId, { from, to }) {
      const rows = await rowsOf('user', userId)
        .where('created_at', '>=', from)
        .where('created_at', '<', to)
        .orderBy('created_at')
        .orderBy('reason')
        .select(['created_at', 'reason', 'count', 'amount'])
        .execute()
      return rows.map(({ created_at, ...row }) => ({ at: created_at, ...movementOf(row) }))
    },

    async chargedBefore(whose, at) {
      const begins = await usageBegins(database)
      if (begins === undefined || begins >= at) return 0
      const first = begins - (begins % usagePeriod)
      const endPeriods = whose === undefined ? first : Math.max(first, at - (at % usagePeriod))
      const days: UsageSpan = { table: dayTableOf({ userId: whose }), from: endPeriods, to: at - (at % day) }
      const hours: UsageSpan = { table: 'usage_hours', from: Math.max(endPeriods, days.to), to: at }
      const [periods, rest] = await Promise.all([
        whose === undefined ? 0 : quotaOfPeriods(whose, first, endPeriods),
        quotaOf(
          whose,
          [days, hours].filter((span) => span.from < span.to),
        ),
      ])
      return periods + rest
    },

    async charges(whose, { from, to }) {
      const filter = { userId: whose }
      const { spans } = splitRange({ from, to: to - 1 }, dayTableOf(filter))
      const personal = whose !== undefined
      const rows = usageRows(database, { filter, spans }, (part) =>
        part.select((eb) => [
          eb.ref('model_name').as('model'),
          personal ? eb.ref('token_id').as('token') : sql<number>`0`.as('token'),
          personal ? eb.ref('token_name').as('label') : sql<string>`''`.as('label'),
        ]),
      )
      const corrected = await corrections(whose, { from, to })
      const found = await query
        .selectFrom(rows.as('used'))
        .select([sql<string>`used.model`.as('model'), sql<number>`used.token`.as('token')])
        .select(sql<string>`max(used.label)`.as('label'))
        .select(summed)
        .groupBy([sql`used.model`, sql`used.token`])
        .execute()
      return found
        .map(({ model, token, label, ...sums }) => ({
          ...{ model, tokenId: Number(token), tokenName: label },
          ...totalOf(sums),
        }))
        .map((sum) => ({ ...sum, quota: sum.quota - (corrected.get(`${sum.tokenId} ${sum.model}`) ?? 0) }))
        .filter(({ count, quota }) => count > 0 || quota !== 0)
    },
  }
}
