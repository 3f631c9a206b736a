import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import { engineOf } from '../../db/dialect.ts'
import { filterFits } from '../figures/dimensions.ts'
import { type ChangeQuestion, type ComparedPeriod, spansOf, tableOf } from './read-cells.ts'

/** Calls whose cost is known, in quota units. */
export interface MarginSums {
  readonly calls: number
  readonly sold: number
  readonly cost: number
}

type Row = Readonly<Record<keyof MarginSums, string | number | null>>

/** Sales and cost of both times. A statement over hours and days for each, never over calls. */
export const readMargins = async (
  { query }: Pick<Database, 'query'>,
  { period, reference, filters }: Pick<ChangeQuestion, 'period' | 'reference' | 'filters'>,
): Promise<Readonly<Record<'now' | 'before', MarginSums>>> => {
  const engine = engineOf(query)
  const conditions = sql.join(
    filters.map((filter) => sql` and ${filterFits(filter)}`),
    sql``,
  )
  const sumsIn = async (periods: readonly ComparedPeriod[]): Promise<MarginSums> => {
    const parts = periods.flatMap(spansOf).map(
      (span) => sql`select costed_count, costed_quota, cost from ${tableOf(engine, span, filters)}
        where created_at >= ${sql.lit(span.from)} and created_at < ${sql.lit(span.to)}${conditions}`,
    )
    const { rows } = await sql<Row>`
      select sum(costed_count) as calls, sum(costed_quota) as sold, sum(cost) as cost
      from (${sql.join(parts, sql` union all `)}) as costed`.execute(query)
    const [row] = rows
    return { calls: Number(row?.calls ?? 0), sold: Number(row?.sold ?? 0), cost: Number(row?.cost ?? 0) }
  }
  const [now, before] = await Promise.all([sumsIn([period]), sumsIn(reference)])
  return { now, before }
}
