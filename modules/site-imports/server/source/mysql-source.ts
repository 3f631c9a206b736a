import { createConnection } from 'mysql2/promise'
import { z } from 'zod'
import { type ServerPlace, socketTo } from './place.ts'
import type { Source } from './source.ts'

const quoted = (name: string): string => `\`${name.replaceAll('`', '``')}\``
const rowsShape = z.array(z.record(z.string(), z.unknown()))

/** MySQL or MariaDB of another program. Large numbers, JSON and times come as text. */
export const openMysqlSource = async (place: ServerPlace): Promise<Source> => {
  const connection = await createConnection({
    uri: place.url,
    stream: () => socketTo(place, Number(new URL(place.url).port || 3306)),
    connectTimeout: 15_000,
    charset: 'utf8mb4',
    supportBigNumbers: true,
    bigNumberStrings: true,
    dateStrings: true,
    jsonStrings: true,
  })
  connection.on('error', () => {})
  await connection.query('set session transaction read only')
  const read = async (text: string, values: readonly (string | number)[] = []) => {
    const [rows] = await connection.query(text, [...values])
    return rowsShape.parse(rows)
  }
  return {
    columns: async (table) => {
      const rows = await read(
        'select column_name as name from information_schema.columns where table_name = ? and table_schema = database()',
        [table],
      )
      return new Set(rows.map(({ name }) => String(name)))
    },
    count: async (table) => Number((await read(`select count(*) as n from ${quoted(table)}`))[0]?.n ?? 0),
    page: async (table, { column, size, columns }, after) => {
      const beyond = after === undefined ? '' : `where ${quoted(column)} > ?`
      const values = after === undefined ? [] : [after]
      return read(
        `select ${columns?.map(quoted).join(', ') ?? '*'} from ${quoted(table)} ${beyond} order by ${quoted(column)} limit ${size}`,
        values,
      )
    },
    close: () => connection.end(),
  }
}
