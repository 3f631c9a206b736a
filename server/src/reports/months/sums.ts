import { ledgerReasons } from '@tollgate/contract'
import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import type { LedgerHoursTable } from '../../db/schema.ts'
import { usagePeriod } from '../../ledger/usage/usage-of.ts'
import { dayTableOf, type Seconds, splitRange, type UsageSpan, usageBegins } from '../usage/usage.ts'
import { summed, totalOf, usageRows } from '../usage/usage-pieces.ts'
import type { MonthPeriod } from './months.ts'
import { amountOf, edgesOf, isUsage, partBefore, sumEntries, sumPartCharges, wholeHours } from './part-hours.ts'

/** User of the entries; undefined for all users together. */
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

/**
 * Reads sums of ledger entries. Each is a few queries along an index, however many charges there are; where a period begins or ends
 * within an hour, the entries of that hour are read as well.
 */
export interface MonthSums {
  /** Sum of the entries before a moment, without those of the usage sums: charges and their corrections. */
  movedBefore(account: Account, whose: Whose, at: number): Promise<number>
  /** One sum for each reason, in the order of `ledgerReasons`. */
  movements(account: Account, whose: Whose, period: MonthPeriod): Promise<MovementSum[]>
  /** The same by hour, oldest first. An hour in which a date begins is two: `at` is where each begins. */
  movementHours(
    userId: number,
    period: MonthPeriod,
    dateOf: (at: number) => string,
  ): Promise<(MovementSum & { readonly at: number })[]>
  /** Charges before a moment, corrections included. */
  chargedBefore(whose: Whose, at: number): Promise<number>
  /** Charges by model and, for one user, by key; without corrections. */
  charges(whose: Whose, period: MonthPeriod): Promise<ChargeSum[]>
}

const minute = 60
const hour = 3_600
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

/** An hour as one span, or as two where a date begins in it. */
const datesOf = (at: number, dateOf: (at: number) => string): Seconds[] => {
  const last = at + hour - 1
  const date = dateOf(at)
  if (dateOf(last) === date) return [{ from: at, to: last }]
  let begins = at
  while (dateOf(begins) === date) begins += minute
  return [
    { from: at, to: begins - 1 },
    { from: begins, to: last },
  ]
}

/** One sum for each reason. */
const joined = (sums: readonly MovementSum[]): MovementSum[] =>
  [...Map.groupBy(sums, ({ reason }) => reason)].map(([reason, own]) => ({
    reason,
    count: own.reduce((all, { count }) => all + count, 0),
    amount: own.reduce((all, { amount }) => all + amount, 0),
  }))

const movementOf = ({ reason, count, amount }: Row): MovementSum => ({
  reason,
  count: Number(count),
  amount: Number(amount),
})

export const openMonthSums = (database: Database, logDatabase: Database = database): MonthSums => {
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
  const corrections = async (whose: Whose, { from, to }: MonthPeriod): Promise<ReadonlyMap<string, number>> => {
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

  const chargedBeforeHour = async (whose: Whose, at: number): Promise<number> => {
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
  }

  return {
    async movedBefore(account, whose, at) {
      const part = partBefore(at)
      const found = await rowsOf(account, whose)
        .where('created_at', '<', part?.from ?? at)
        .where('reason', '<>', 'correction')
        .select(({ fn }) => fn.sum('amount').as('amount'))
        .executeTakeFirst()
      const rest = part === undefined ? [] : await sumEntries(database, account, whose, part)
      return Number(found?.amount ?? 0) + amountOf(rest, (reason) => !isUsage(reason))
    },

    async movements(account, whose, period) {
      const { from, to } = wholeHours(period)
      const rows = await rowsOf(account, whose)
        .where('created_at', '>=', from)
        .where('created_at', '<', to)
        .groupBy('reason')
        .select('reason')
        .select(movementSums)
        .execute()
      const edges = await Promise.all(edgesOf(period).map((edge) => sumEntries(database, account, whose, edge)))
      const sums = joined([...rows.map(movementOf), ...edges.flat().filter(({ reason }) => reason !== 'charge')])
      return sums.sort((a, b) => ledgerReasons.indexOf(a.reason) - ledgerReasons.indexOf(b.reason))
    },

    async movementHours(userId, { from, to }, dateOf) {
      const rows = await rowsOf('user', userId)
        .where('created_at', '>=', from - (from % hour))
        .where('created_at', '<', to)
        .orderBy('created_at')
        .orderBy('reason')
        .select(['created_at', 'reason', 'count', 'amount'])
        .execute()
      const hours = rows.map(({ created_at, ...row }) => ({ at: created_at, ...movementOf(row) }))
      const found: (typeof hours)[number][] = []
      for (const [at, own] of Map.groupBy(hours, (row) => row.at)) {
        const spans = datesOf(at, dateOf)
        if (spans.length === 1) found.push(...own)
        // The months begin where dates do, so none of these is cut by an end of the period.
        for (const span of spans.length === 1 ? [] : spans.filter((part) => part.from >= from && part.from < to)) {
          const entries = joined(await sumEntries(database, 'user', userId, span))
          found.push(...entries.map((sum) => ({ at: span.from, ...sum })))
        }
      }
      return found
    },

    async chargedBefore(whose, at) {
      const part = partBefore(at)
      if (part === undefined) return chargedBeforeHour(whose, at)
      const [whole, rest] = await Promise.all([
        chargedBeforeHour(whose, part.from),
        sumEntries(database, 'user', whose, part),
      ])
      return whole - amountOf(rest, isUsage)
    },

    async charges(whose, period) {
      const filter = { userId: whose }
      const { from, to } = wholeHours(period)
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
      const edges = await Promise.all(
        edgesOf(period).map((edge) => sumPartCharges({ database, logDatabase }, whose, edge)),
      )
      const found = await query
        .selectFrom(rows.as('used'))
        .select([sql<string>`used.model`.as('model'), sql<number>`used.token`.as('token')])
        .select(sql<string>`max(used.label)`.as('label'))
        .select(summed)
        .groupBy([sql`used.model`, sql`used.token`])
        .execute()
      const whole = found
        .map(({ model, token, label, ...sums }) => ({
          model,
          tokenId: Number(token),
          tokenName: label,
          ...totalOf(sums),
        }))
        .map((sum) => ({ ...sum, quota: sum.quota - (corrected.get(`${sum.tokenId} ${sum.model}`) ?? 0) }))
      const parts = edges.flat().map(({ token, label, ...sums }) => ({ ...sums, tokenId: token, tokenName: label }))
      return [...whole, ...parts].filter(({ count, quota }) => count > 0 || quota !== 0)
    },
  }
}
