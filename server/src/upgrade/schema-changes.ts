import type { Database } from '../db/database.ts'

interface ColumnShape {
  /** True if an insert must name it. */
  readonly needsValue: boolean
  /** The engine's name of the type, without a length. */
  readonly type: string
}

/** Columns by their names, for each table. */
export type SchemaShape = ReadonlyMap<string, ReadonlyMap<string, ColumnShape>>

export const shapeOf = async ({ query }: Database): Promise<SchemaShape> =>
  new Map(
    (await query.introspection.getTables()).map(({ name, columns }) => [
      name,
      new Map(
        columns.map(({ name: column, dataType, isNullable, hasDefaultValue, isAutoIncrementing }) => [
          column,
          { needsValue: !isNullable && !hasDefaultValue && !isAutoIncrementing, type: dataType },
        ]),
      ),
    ]),
  )

/** Changes of tables by an upgrade. */
export interface SchemaChanges {
  readonly newTables: readonly string[]
  /** `table.column` */
  readonly newColumns: readonly string[]
  /**
   * Changes that the version before cannot work with: removed tables and columns (a renamed one counts as removed and added), columns
   * of another type, and new ones that it would have to fill.
   */
  readonly breaking: readonly string[]
}

const missing = (from: SchemaShape, to: SchemaShape): string[] =>
  [...from].flatMap(([table, columns]) => {
    const others = to.get(table)
    if (others === undefined) return [table]
    return [...columns.keys()].filter((column) => !others.has(column)).map((column) => `${table}.${column}`)
  })

/** Columns that both have and the version before cannot write or read as it did. */
const changed = (from: SchemaShape, to: SchemaShape): string[] =>
  [...from].flatMap(([table, columns]) =>
    [...columns].flatMap(([column, before]) => {
      const after = to.get(table)?.get(column)
      if (after === undefined) return []
      const name = `${table}.${column}`
      if (after.type !== before.type) return [`${name} becomes ${after.type}`]
      return after.needsValue && !before.needsValue ? [`${name} needs a value`] : []
    }),
  )

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
      ...changed(before, after),
    ],
  }
}
