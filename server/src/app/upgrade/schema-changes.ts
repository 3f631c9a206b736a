import type { Database } from '../../db/database.ts'

/** Columns by their names, for each table. */
export type SchemaShape = ReadonlyMap<string, ReadonlyMap<string, { readonly needsValue: boolean }>>

export const shapeOf = async ({ query }: Database): Promise<SchemaShape> =>
  new Map(
    (await query.introspection.getTables()).map(({ name, columns }) => [
      name,
      new Map(
        columns.map(({ name: column, isNullable, hasDefaultValue, isAutoIncrementing }) => [
          column,
          { needsValue: !isNullable && !hasDefaultValue && !isAutoIncrementing },
        ]),
      ),
    ]),
  )

/** What an upgrade does to tables. */
export interface SchemaChanges {
  readonly newTables: readonly string[]
  /** `table.column` */
  readonly newColumns: readonly string[]
  /** What the version before cannot do without: tables and columns that go, and new columns that it would have to fill. */
  readonly breaking: readonly string[]
}

const missing = (from: SchemaShape, to: SchemaShape): string[] =>
  [...from].flatMap(([table, columns]) => {
    const others = to.get(table)
    if (others === undefined) return [table]
    return [...columns.keys()].filter((column) => !others.has(column)).map((column) => `${table}.${column}`)
  })

/** Compares the tables before and after an upgrade. */
export const schemaChanges = (before: SchemaShape, after: SchemaShape): SchemaChanges => {
  const added = missing(after, before)
  const needed = added.filter((name) => {
    const [table = '', column = ''] = name.split('.')
    return after.get(table)?.get(column)?.needsValue === true
  })
  return {
    newTables: added.filter((name) => !name.includes('.')),
    newColumns: added.filter((name) => name.includes('.')),
    breaking: [
      ...missing(before, after).map((name) => `${name} goes`),
      ...needed.map((name) => `${name} needs a value`),
    ],
  }
}
