import type { ValueCounts } from '@tollgate/contract'
import { type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { Database } from './database.ts'
import type { Tables } from './schema.ts'

/** Rows that are looked at to count the values of a filter: as many as the totals of lists count. */
export const mostFaceted = 10_000
/** Values shown at most. */
const mostValues = 200

type Value = string | number | null

/**
 * How often each value is among the rows, most frequent first. Looks at `most` rows at most, whatever the table holds;
 * rows without a value (null or empty) are left out.
 */
export const countValues = async <Table extends keyof Tables>(
  database: Pick<Database, 'query'>,
  rows: SelectQueryBuilder<Tables, Table, { value: Value }>,
  most = mostFaceted,
): Promise<ValueCounts> => countTogether(database, [rows], most)

/** The same for rows that are found by several queries, `most` by each; no row is found by two. */
export const countTogether = async <Table extends keyof Tables>(
  { query }: Pick<Database, 'query'>,
  queries: readonly SelectQueryBuilder<Tables, Table, { value: Value }>[],
  most = mostFaceted,
): Promise<ValueCounts> => {
  const found = await Promise.all(
    queries.map((rows) =>
      query
        .selectFrom(rows.limit(most + 1).as('rows'))
        .select(['rows.value', ({ fn }) => fn.countAll().as('count')])
        .groupBy('rows.value')
        .execute(),
    ),
  )
  const counts = new Map<string, number>()
  for (const { value, count } of found.flat()) {
    const text = String(value ?? '')
    counts.set(text, (counts.get(text) ?? 0) + Number(count))
  }
  const counted = [...counts].map(([value, count]) => ({ value, count }))
  return {
    values: mostFrequent(counted),
    capped: counted.reduce((sum, { count }) => sum + count, 0) > most,
  }
}

/** Values that rows have, most frequent first, up to the limit. */
export const mostFrequent = (values: ValueCounts['values']): ValueCounts['values'] =>
  values
    .filter(({ value, count }) => value !== '' && count > 0)
    .sort((a, b) => b.count - a.count || a.value.localeCompare(b.value))
    .slice(0, mostValues)

/** The same for a column that holds comma lists: each word counts. */
export const countListValues = ({ values, capped }: ValueCounts): ValueCounts => {
  const counts = new Map<string, number>()
  for (const { value, count } of values)
    for (const word of new Set(value.split(',').filter((part) => part !== '')))
      counts.set(word, (counts.get(word) ?? 0) + count)
  return { values: mostFrequent([...counts].map(([value, count]) => ({ value, count }))), capped }
}

/** Some of the rows that fit a filter: these, or those before an id. */
export interface RowRange {
  readonly ids?: readonly number[] | undefined
  readonly before?: number | undefined
}

/** The conditions that take such a part. */
export const inPart = (column: string, { ids, before }: RowRange): RawBuilder<SqlBool>[] => [
  ...(ids === undefined ? [] : [sql<SqlBool>`${sql.ref(column)} in (${sql.join(ids.length > 0 ? [...ids] : [0])})`]),
  ...(before === undefined ? [] : [sql<SqlBool>`${sql.ref(column)} < ${before}`]),
]
