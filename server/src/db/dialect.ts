import {
  CompiledQuery,
  type Dialect,
  HandleEmptyInListsPlugin,
  type Insertable,
  Kysely,
  MysqlAdapter,
  PostgresAdapter,
  type RawBuilder,
  replaceWithNoncontingentExpression,
  type SqlBool,
  sql,
  type UpdateKeys,
} from 'kysely'
import type { Engine, Row } from './database.ts'
import { safeInteger } from './engines/safe-integer.ts'
import { cellRowsOf, flatCells, insertStatement, mergeExistingRows } from './insert.ts'
import type { Tables } from './schema.ts'

/** A database's `query` or a transaction, whatever tables its type names. */
export type Queryable = Pick<Kysely<unknown>, 'getExecutor' | 'executeQuery'>

type TableWithId = { [T in keyof Tables]: 'id' extends keyof Tables[T] ? T : never }[keyof Tables]

type ColumnOf<T extends keyof Tables> = keyof Tables[T] & string
type ChangeableColumnOf<T extends keyof Tables> = UpdateKeys<Tables[T]> & string

/**
 * Queries over an engine. An empty list after `in` finds no row, and one after `not in` every row, on all of them: SQLite alone reads `in ()`,
 * so that a query which the others refuse would pass its tests there.
 */
export const openQuery = (dialect: Dialect): Kysely<Tables> =>
  new Kysely<Tables>({
    dialect,
    plugins: [new HandleEmptyInListsPlugin({ strategy: replaceWithNoncontingentExpression })],
  })

/** Which engine answers these queries. */
export const engineOf = (on: Queryable): Engine => {
  const { adapter } = on.getExecutor()
  if (adapter instanceof PostgresAdapter) return 'postgres'
  return adapter instanceof MysqlAdapter ? 'mysql' : 'sqlite'
}

const rowOf = (values: object): Row =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))

/** Inserts one row and returns the number the database gave it. */
export const insertReturningId = async <T extends TableWithId>(
  on: Queryable,
  table: T,
  values: Insertable<Tables[T]>,
): Promise<number> => {
  const engine = engineOf(on)
  const row = cellRowsOf([rowOf(values)])
  const ending = engine === 'mysql' ? '' : ' returning id'
  const statement = insertStatement(engine, { table, columns: row.columns, rowCount: 1, ending })
  const result = await on.executeQuery<{ id: number }>(CompiledQuery.raw(statement, flatCells(table, row)))
  const id = result.rows[0]?.id ?? safeInteger(String(result.insertId))
  return id
}

/**
 * Inserts rows; where the unique `key` exists already, replaces the columns `set` and adds to the columns `add`. The
 * keys of `rows` must differ from each other, and all rows have the columns of the first. Meant for up to some hundred
 * rows: they travel in one statement.
 */
export const upsert = async <T extends keyof Tables>(
  on: Queryable,
  table: T,
  rows: readonly Insertable<Tables[T]>[],
  how: {
    readonly key: readonly ColumnOf<T>[]
    readonly set?: readonly ChangeableColumnOf<T>[]
    readonly add?: readonly ChangeableColumnOf<T>[]
  },
): Promise<void> => {
  if (rows.length === 0) return
  const engine = engineOf(on)
  const cells = cellRowsOf(rows.map(rowOf))
  const ending = mergeExistingRows(engine, table, { key: how.key, set: how.set ?? [], add: how.add ?? [] })
  const statement = insertStatement(engine, { table, columns: cells.columns, rowCount: rows.length, ending })
  await on.executeQuery(CompiledQuery.raw(statement, flatCells(table, cells)))
}

/** True where a text column contains `term`, whatever the case; `%`, `_` and `\` stand for themselves. */
export const containsText = (column: string, term: string): RawBuilder<SqlBool> => {
  const pattern = `%${term.replace(/[%_!]/g, '!$&')}%`
  return sql<SqlBool>`lower(${sql.ref(column)}) like lower(${pattern}) escape '!'`
}

/**
 * The different values of a text column that begins an index, read along it: as many steps as there are values, however
 * many rows they have.
 */
export const valuesAlongIndex = async (
  on: Kysely<Tables>,
  table: keyof Tables,
  column: string,
): Promise<readonly string[]> => {
  const [of, name] = [sql.table(table), sql.ref(column)]
  // MySQL and MariaDB do so by themselves; the steps below they read row by row.
  if (engineOf(on) === 'mysql') {
    const { rows } = await sql<{ value: string }>`
      select distinct ${name} as value from ${of} where ${name} is not null order by value`.execute(on)
    return rows.map(({ value }) => value)
  }
  const { rows } = await sql<{ value: string }>`
    with recursive found(value) as (
      select min(${name}) from ${of}
      union all
      select (select min(${name}) from ${of} where ${name} > found.value) from found where found.value is not null
    ) select value from found where value is not null`.execute(on)
  return rows.map(({ value }) => value)
}

/**
 * A column to group by that no index is gone along for: MySQL and MariaDB prefer one over all time, row by row, to reading a
 * range of time once.
 */
export const groupedAnew = <T>(engine: Engine, column: string): RawBuilder<T> => {
  const name = sql.ref<T>(column)
  return engine === 'mysql' ? sql<T>`coalesce(${name}, ${name})` : name
}

/**
 * A table as MySQL and MariaDB read it along an index, whatever they guess: they take a range for twice as large as it is, and read a
 * table of years to its end for a month of it.
 */
export const tableAlong = (table: string, index: string): RawBuilder<unknown> =>
  sql`${sql.table(table)} force index (${sql.id(index)})`

const sqliteUnique = 2067
const sqlitePrimaryKey = 1555
const uniqueCodes: ReadonlySet<unknown> = new Set(['23505', 'ER_DUP_ENTRY'])

/** True if a write failed because a unique key exists already. */
export const isUniqueViolation = (error: unknown): boolean => {
  if (typeof error !== 'object' || error === null) return false
  if ('errcode' in error) return error.errcode === sqliteUnique || error.errcode === sqlitePrimaryKey
  return 'code' in error && uniqueCodes.has(error.code)
}
