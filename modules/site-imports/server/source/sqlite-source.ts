import { existsSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { reasonOf } from '#server/lib/reason-of.ts'
import type { Source } from './source.ts'

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/**
 * Opens a SQLite file of another program for reading only. A page is a few hundred rows along an index, so reading it here
 * holds nothing up. Throws Error for a file that is not there or no database.
 */
export const openSqliteSource = (path: string): Source => {
  if (!existsSync(path)) throw new Error('there is no such file.')
  if (!statSync(path).isFile()) throw new Error('this is a folder, not a file.')
  const database = new DatabaseSync(path, { readOnly: true })
  const read = (text: string, values: readonly (string | number)[] = []): Record<string, unknown>[] => {
    const statement = database.prepare(text)
    statement.setReadBigInts(true)
    return statement.all(...values)
  }
  try {
    read('select count(*) from sqlite_schema')
  } catch (cause) {
    database.close()
    throw new Error(`the file is no SQLite database, or damaged (${reasonOf(cause)}).`, { cause })
  }
  return {
    columns: async (table) => new Set(read(`pragma table_info(${quoted(table)})`).map(({ name }) => String(name))),
    count: async (table) => Number(read(`select count(*) as n from ${quoted(table)}`)[0]?.n ?? 0),
    page: async (table, { column, size, columns }, after) => {
      const beyond = after === undefined ? '' : `where ${quoted(column)} > ?`
      const values = after === undefined ? [] : [after]
      const order = `order by ${quoted(column)} limit ${size}`
      return read(`select ${columns?.map(quoted).join(', ') ?? '*'} from ${quoted(table)} ${beyond} ${order}`, values)
    },
    close: async () => database.close(),
  }
}
