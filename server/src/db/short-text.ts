import { type RawBuilder, sql } from 'kysely'
import type { Engine } from './database.ts'

/** How much of a text, and of a JSON text, lists of drawings and tasks carry: rows of earlier versions may have many megabytes. */
const longestListedText = 8000
const longestListedJson = 256_000

/** The first `most` characters of a text column: the rest of an old, long text does not leave the database. */
export const beginningOf = (column: string, most: number): RawBuilder<string> =>
  sql<string>`substr(${sql.ref(column)}, 1, ${sql.lit(most)})`

/** A text column where it has at most `most` characters (MySQL: bytes), and nothing where it has more: half a JSON text is none. */
export const unlessLonger = (column: string, most: number): RawBuilder<string> =>
  sql<string>`case when length(${sql.ref(column)}) > ${sql.lit(most)} then '' else ${sql.ref(column)} end`

const longestMember = 40

/**
 * The value of a member in a column of JSON texts; empty where a text has no such member. It is read as text, so that a text that
 * is no JSON does no harm: values are those of at most 40 characters that need no escaping.
 */
export const memberText = (engine: Engine, column: string, member: string): RawBuilder<string> => {
  const find = sql.raw(engine === 'postgres' ? 'strpos' : 'instr')
  const start = `"${member}":"`
  const at = sql`${find}(${sql.ref(column)}, ${sql.lit(start)})`
  const rest = sql`concat(substr(${sql.ref(column)}, ${at} + ${sql.lit(start.length)}, ${sql.lit(longestMember)}), '"')`
  return sql<string>`case when ${at} = 0 then '' else substr(${rest}, 1, ${find}(${rest}, '"') - 1) end`
}

/**
 * The columns of a row as lists read them: the beginning of long texts, and JSON texts that are not too long.
 * @param long the long texts among `columns`
 * @param json the JSON texts among `columns`
 */
export const listedColumns = <Column extends string, Long extends Column, Json extends Column>(
  columns: readonly Column[],
  { long, json }: { readonly long: readonly Long[]; readonly json: readonly Json[] },
) => {
  const cut = new Set<Column>([...long, ...json])
  return [
    ...columns.filter((column): column is Exclude<Column, Long | Json> => !cut.has(column)),
    ...long.map((column) => beginningOf(column, longestListedText).as(column)),
    ...json.map((column) => unlessLonger(column, longestListedJson).as(column)),
  ]
}

/** 1 where one of these text columns has more characters (MySQL: bytes) than are read of it. */
export const isAnyLonger = (most: Readonly<Record<string, number>>): RawBuilder<number> => {
  const tests = Object.entries(most).map(([column, length]) => sql`length(${sql.ref(column)}) > ${sql.lit(length)}`)
  return sql<number>`case when ${sql.join(tests, sql` or `)} then 1 else 0 end`
}
