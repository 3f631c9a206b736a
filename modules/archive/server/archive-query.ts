import {
  type CompiledQuery,
  DummyDriver,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type SelectQueryBuilder,
} from 'kysely'
import { openQuery } from '#server/db/dialect.ts'
import type { Tables } from '#server/db/schema.ts'
import { quoted } from '#server/lib/parquet/parquet.ts'

/** Writes queries on `logs` as PostgreSQL reads them, which DuckDB does, too. It is connected to nothing. */
export const archiveQuery = openQuery({
  createAdapter: () => new PostgresAdapter(),
  createDriver: () => new DummyDriver(),
  createIntrospector: (on) => new PostgresIntrospector(on),
  createQueryCompiler: () => new PostgresQueryCompiler(),
})

interface Statement {
  readonly sql: string
  readonly values: readonly string[]
}

/**
 * A query on `logs` as one on these files. Numbers stand in the statement, because DuckDB leaves out pieces of a file by
 * what it knows when it plans; texts are handed over apart.
 */
export const statementOn = <Row>(
  paths: readonly string[],
  query: SelectQueryBuilder<Tables, 'logs', Row> | SelectQueryBuilder<never, never, Row>,
): Statement => {
  const { sql, parameters }: CompiledQuery = query.compile()
  const values: string[] = []
  const text = sql.replace(/\$(\d+)/g, (_, number: string) => {
    const value = parameters[Number(number) - 1]
    if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value)
    if (typeof value === 'boolean') return String(value)
    values.push(String(value))
    return `$${values.length}`
  })
  // Files of earlier versions have neither tags nor end users nor ids of answers.
  const rows = `select * from read_parquet([${paths.map(quoted).join(', ')}], union_by_name = true)`
  const logs = `${rows} union all by name select cast(null as varchar) as tags, cast(null as varchar) as end_user, cast(null as varchar) as answer_id, cast(null as bigint) as provisional where false`
  return { sql: `with logs as (${logs}) ${text}`, values }
}
