import { ledgerReasons } from '@tollgate/contract'
import type { Database } from '#server/db/database.ts'
import { csvLine, csvMark } from '#server/http/csv.ts'
import type { MonthPeriod } from '#server/reports/months/months.ts'
import { currencyText } from './csv.ts'
import { readUserEdges } from './user-edges.ts'
import { sumUsers, type UserSums } from './user-sums.ts'

const pageSize = 200
const reasons = ledgerReasons.filter((reason) => reason !== 'charge')

const columns = [
  'user_id',
  'username',
  'cancelled',
  'opening',
  ...reasons,
  'calls',
  'charges',
  'closing',
  'opening_amount',
  'charges_amount',
  'closing_amount',
]

interface Row {
  readonly opening: number
  readonly moved: readonly number[]
  readonly calls: number
  readonly charges: number
  readonly closing: number
}

const rowOf = ({ opening, movements, calls, charged }: UserSums): Row => {
  const moved = reasons.map((reason) => movements.get(reason) ?? 0)
  const closing = opening + moved.reduce((sum, amount) => sum + amount, 0) - charged
  return { opening, moved, calls, charges: 0 - charged, closing }
}

const isEmpty = ({ opening, moved, calls, charges }: Row): boolean =>
  opening === 0 && calls === 0 && charges === 0 && moved.every((amount) => amount === 0)

const sumOf = (a: Row, b: Row): Row => ({
  opening: a.opening + b.opening,
  moved: a.moved.map((amount, index) => amount + (b.moved[index] ?? 0)),
  calls: a.calls + b.calls,
  charges: a.charges + b.charges,
  closing: a.closing + b.closing,
})

const nothing: Row = { opening: 0, moved: reasons.map(() => 0), calls: 0, charges: 0, closing: 0 }

/**
 * A line per user whose balance was or moved, cancelled ones included, and one for their sum; quota units, and amounts of
 * currency. Reads 200 users at a time, while the client reads.
 */
export const siteCsv = async function* (
  database: Database,
  period: MonthPeriod,
  quotaPerUnit: number,
): AsyncGenerator<string> {
  const lineOf = (name: readonly [number | string, string, boolean | string], row: Row): string =>
    csvLine([
      ...name,
      ...[row.opening, ...row.moved, row.calls, row.charges, row.closing],
      ...[row.opening, row.charges, row.closing].map((quota) => ({ decimal: currencyText(quota, quotaPerUnit) })),
    ])
  yield csvMark + csvLine(columns)
  const edges = await readUserEdges(database, period)
  let total = nothing
  for (let after = 0; ; ) {
    const users = await database.query
      .selectFrom('users')
      .select(['id', 'username', 'deleted_at'])
      .where('id', '>', after)
      .orderBy('id')
      .limit(pageSize)
      .execute()
    const last = users.at(-1)
    if (last === undefined) break
    after = last.id
    const ids = users.map(({ id }) => id)
    const sums = await sumUsers(database, ids, period, edges)
    const lines = users.flatMap(({ id, username, deleted_at }) => {
      const own = sums.get(id)
      const row = own === undefined ? nothing : rowOf(own)
      total = sumOf(total, row)
      return isEmpty(row) ? [] : [lineOf([id, username, deleted_at !== null], row)]
    })
    yield lines.join('')
  }
  yield lineOf(['total', '', ''], total)
}
