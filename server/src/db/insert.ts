import { ownMember } from '@tollgate/contract/own-member'
import { fitterOf } from './column-lengths.ts'
import type { CellRows, Engine, Row, SqlValue } from './database.ts'
import { storableNumber } from './engines/safe-integer.ts'

interface InsertShape {
  readonly table: string
  readonly columns: readonly string[]
  readonly constants?: CellRows['constants']
  readonly rowCount: number
  /** Scope of the rollback on SQLite if a row breaks a rule: its statement, or the whole transaction. */
  readonly undoes?: 'transaction'
  /** Clause behind the values, e.g. for rows that exist. */
  readonly ending?: string
}

/** Only words of the program may stand in a statement. */
const literal = (word: string): string => {
  if (!/^[a-z_{}]*$/.test(word)) throw new Error(`"${word}" is no constant`)
  return `'${word}'`
}

export const quoted = (engine: Engine, name: string): string => (engine === 'mysql' ? `\`${name}\`` : `"${name}"`)

/** The text of an insert of `rowCount` rows; the parameters follow row by row in the order of `columns`. */
export const insertStatement = (engine: Engine, shape: InsertShape): string => {
  const { table, columns, constants = {}, rowCount, undoes, ending = '' } = shape
  const names = [...columns, ...Object.keys(constants)].map((column) => quoted(engine, column)).join()
  const literals = Object.values(constants).map(literal)
  const row = (index: number): string => {
    const places =
      engine === 'postgres'
        ? columns.map((_, column) => `$${index * columns.length + column + 1}`)
        : columns.map(() => '?')
    return [...places, ...literals].join()
  }
  const rows = Array.from({ length: rowCount }, (_, index) => `(${row(index)})`).join()
  const insert = undoes === 'transaction' ? 'insert or rollback' : 'insert'
  return `${insert} into ${quoted(engine, table)} (${names}) values ${rows}${ending}`
}

/** Lets an insert leave out rows that break a unique key. */
export const skipExistingRows = (engine: Engine, columns: readonly string[]): string => {
  if (engine !== 'mysql') return ' on conflict do nothing'
  // `insert ignore` would also turn other errors into warnings, hence an update that changes nothing.
  const column = quoted(engine, columns[0] ?? '')
  return ` on duplicate key update ${column} = ${column}`
}

interface Merge {
  readonly key: readonly string[]
  readonly set: readonly string[]
  readonly add: readonly string[]
}

/** Makes an insert replace (`set`) or increase (`add`) columns of rows with an existing `key`. */
export const mergeExistingRows = (engine: Engine, table: string, { key, set, add }: Merge): string => {
  const name = (column: string): string => quoted(engine, column)
  const newValue = (column: string): string =>
    engine === 'mysql' ? `values(${name(column)})` : `excluded.${name(column)}`
  const changes = [
    ...set.map((column) => `${name(column)} = ${newValue(column)}`),
    ...add.map((column) => `${name(column)} = ${name(table)}.${name(column)} + ${newValue(column)}`),
  ].join()
  if (engine === 'mysql') return ` on duplicate key update ${changes}`
  return ` on conflict (${key.map(name).join()}) do update set ${changes}`
}

const storable = (value: SqlValue, fit: ReturnType<typeof fitterOf>): SqlValue => {
  if (typeof value === 'number') return storableNumber(value)
  return typeof value === 'string' && fit !== undefined ? fit(value) : value
}

/** Rows of either kind as lists; objects have the keys of the first. */
export const cellRowsOf = (rows: readonly Row[] | CellRows): CellRows => {
  if ('columns' in rows) return rows
  const columns = Object.keys(rows[0] ?? {})
  return {
    columns,
    count: rows.length,
    cellsAt: (index) => columns.map((column) => ownMember(rows[index] ?? {}, column) ?? null),
  }
}

/** A row of cells for each item. */
export const rowsOf = <T>(
  items: readonly T[],
  cellsOf: (item: T) => readonly SqlValue[],
): Pick<CellRows, 'count' | 'cellsAt'> => ({
  count: items.length,
  cellsAt: (index) => {
    const item = items[index]
    return item === undefined ? [] : cellsOf(item)
  },
})

/** Each value checked to be storable exactly. */
export const storableCells = (table: string, { columns, count, cellsAt }: CellRows): SqlValue[][] => {
  const fitters = columns.map((column) => fitterOf(table, column))
  return Array.from({ length: count }, (_, at) => cellsAt(at).map((value, index) => storable(value, fitters[index])))
}

/**
 * The values of rows `from` to before `to`, one row after the other. Written for the request log, which is most of what is ever
 * inserted. The list grows from empty: V8 hands one of a given length to another thread as an object with numbered properties.
 */
export const flatCells = (table: string, { columns, count, cellsAt }: CellRows, from = 0, to = count): SqlValue[] => {
  const fitters = columns.map((column) => fitterOf(table, column))
  const cells: SqlValue[] = []
  for (let at = from; at < to; at += 1) {
    const row = cellsAt(at)
    for (let index = 0; index < fitters.length; index += 1) cells.push(storable(row[index] ?? null, fitters[index]))
  }
  return cells
}
