import { type SelectQueryBuilder, sql } from 'kysely'
import type { Database } from '#server/db/database.ts'
import type { LedgerHoursTable, Tables } from '#server/db/schema.ts'
import { usagePeriod } from '#server/ledger/usage/usage-of.ts'
import type { MonthPeriod } from '#server/reports/months/months.ts'
import { amountOf, type EntrySum, wholeHours } from '#server/reports/months/part-hours.ts'
import { splitRange, type UsageSpan, usageBegins } from '#server/reports/usage/usage.ts'
import type { UserEdges } from './user-edges.ts'

/** A period of one user's balance. */
export interface UserSums {
  readonly opening: number
  /** Signed quota units by reason; without charges. */
  readonly movements: ReadonlyMap<LedgerHoursTable['reason'], number>
  readonly calls: number
  /** Quota units. */
  readonly charged: number
}

interface Charged {
  readonly count: number
  readonly quota: number
}

const hour = 3_600
const day = 86_400
const none: Charged = { count: 0, quota: 0 }

/** Sums a period for each of some users, a few hundred at most. Users without entries have zeros. `edges` are those of the period. */
export const sumUsers = async (
  database: Database,
  ids: readonly number[],
  period: MonthPeriod,
  edges: UserEdges,
): Promise<ReadonlyMap<number, UserSums>> => {
  if (ids.length === 0) return new Map()
  const begins = period.from - (period.from % hour)
  const [before, movements, chargedBefore, charged] = await Promise.all([
    movementsOf(database, ids, { from: 0, to: begins }),
    movementsOf(database, ids, wholeHours(period)),
    chargedUntil(database, ids, begins),
    chargedIn(database, ids, splitRange({ from: period.from, to: period.to - 1 }, 'usage_days').spans),
  ])
  return new Map(
    ids.map((id) => {
      const own = before.get(id) ?? new Map<LedgerHoursTable['reason'], number>()
      // The usage sums have corrections, too.
      const moved = [...own].reduce((sum, [reason, amount]) => (reason === 'correction' ? sum : sum + amount), 0)
      const now = new Map(movements.get(id))
      const { count, quota } = charged.get(id) ?? none
      // Charges from before the usage sums began stand among the movements.
      const earlier = 0 - (now.get('charge') ?? 0)
      now.delete('charge')
      const opening = moved - (chargedBefore.get(id) ?? 0) + amountOf(edges.before.get(id) ?? [], () => true)
      const sums = { opening, movements: now, calls: count, charged: quota + earlier + (now.get('correction') ?? 0) }
      return [id, withEntries(sums, edges.within.get(id) ?? [])]
    }),
  )
}

const withEntries = ({ opening, movements, calls, charged }: UserSums, entries: readonly EntrySum[]): UserSums => {
  const all = new Map(movements)
  const charges = entries.filter(({ reason }) => reason === 'charge')
  for (const { reason, amount } of entries) {
    if (reason !== 'charge') all.set(reason, (all.get(reason) ?? 0) + amount)
  }
  return {
    opening,
    movements: all,
    calls: charges.reduce((sum, { count }) => sum + count, calls),
    charged: charged - amountOf(charges, () => true),
  }
}

const movementsOf = async (
  { query }: Database,
  ids: readonly number[],
  { from, to }: MonthPeriod,
): Promise<Map<number, Map<LedgerHoursTable['reason'], number>>> => {
  const rows = await query
    .selectFrom('ledger_hours')
    .where('account', '=', 'user')
    .where('account_id', 'in', [...ids])
    .where('created_at', '>=', from)
    .where('created_at', '<', to)
    .groupBy(['account_id', 'reason'])
    .select(['account_id', 'reason', sql<number | string>`sum(amount)`.as('amount')])
    .execute()
  const sums = new Map<number, Map<LedgerHoursTable['reason'], number>>()
  for (const { account_id, reason, amount } of rows) {
    const own = sums.get(account_id) ?? new Map<LedgerHoursTable['reason'], number>()
    sums.set(account_id, own.set(reason, Number(amount)))
  }
  return sums
}

type UsageTable = 'usage_hours' | 'usage_days' | 'usage_user_periods'

const byUser = async (
  rows: SelectQueryBuilder<Tables, 'usage_hours', object>,
  ids: readonly number[],
): Promise<{ id: number; count: number; quota: number }[]> => {
  const found = await rows
    .where('user_id', 'in', [...ids])
    .groupBy('user_id')
    .select((eb) => ['user_id as id', eb.fn.sum('count').as('count'), eb.fn.sum('quota').as('quota')])
    .execute()
  return found.map(({ id, count, quota }) => ({ id, count: Number(count), quota: Number(quota) }))
}

const addTo = (sums: Map<number, Charged>, rows: Awaited<ReturnType<typeof byUser>>): void => {
  for (const { id, count, quota } of rows) {
    const sum = sums.get(id) ?? none
    sums.set(id, { count: sum.count + count, quota: sum.quota + quota })
  }
}

// All tables of sums have the columns that are read here.
const tableOf = ({ query }: Database, table: UsageTable) => query.selectFrom(table as 'usage_hours')

const chargedIn = async (
  database: Database,
  ids: readonly number[],
  spans: readonly UsageSpan[],
): Promise<Map<number, Charged>> => {
  const sums = new Map<number, Charged>()
  for (const { table, from, to } of spans) {
    const rows = tableOf(database, table as UsageTable)
      .where('created_at', '>=', from)
      .where('created_at', '<', to)
    addTo(sums, await byUser(rows, ids))
  }
  return sums
}

const chargedUntil = async (
  database: Database,
  ids: readonly number[],
  at: number,
): Promise<ReadonlyMap<number, number>> => {
  const begins = await usageBegins(database)
  if (begins === undefined || begins >= at) return new Map()
  const first = begins - (begins % usagePeriod)
  const last = Math.max(first, at - (at % usagePeriod))
  const spans: UsageSpan[] = [
    { table: 'usage_days', from: last, to: at - (at % day) },
    { table: 'usage_hours', from: at - (at % day), to: at },
  ]
  const sums = await chargedIn(
    database,
    ids,
    spans.filter((span) => span.from < span.to),
  )
  const starts = Array.from({ length: (last - first) / usagePeriod }, (_, index) => first + index * usagePeriod)
  if (starts.length > 0) {
    addTo(sums, await byUser(tableOf(database, 'usage_user_periods').where('created_at', 'in', starts), ids))
  }
  return new Map([...sums].map(([id, { quota }]) => [id, quota]))
}
