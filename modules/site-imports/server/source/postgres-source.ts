import { type LookupFunction, Socket } from 'node:net'
import { parseObject } from '@tollgate/contract/json'
import pg from 'pg'
import type { ServerPlace } from './place.ts'
import type { Source } from './source.ts'

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** The driver connects it; the lookup checks each address that the host's name stands for. */
const checkedSocket = (lookup: LookupFunction): Socket => {
  const socket = new Socket()
  const connect = socket.connect.bind(socket)
  return Object.assign(socket, {
    connect: (port: number, host: string) => connect({ port, host, lookup }),
  })
}

/** PostgreSQL of another program. Rows come as JSON, so that arrays, JSON and times need no driver's types. */
export const openPostgresSource = async ({ url, lookup }: ServerPlace): Promise<Source> => {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 15_000,
    application_name: 'tollgate import',
    ...(lookup === undefined ? {} : { stream: () => checkedSocket(lookup) }),
  })
  client.on('error', () => {})
  await client.connect()
  await client.query('set default_transaction_read_only = on')
  // Prisma, and so LiteLLM, names a schema in this way.
  const schema = new URL(url).searchParams.get('schema') ?? ''
  if (schema !== '') await client.query(`set search_path to ${quoted(schema)}`)
  const read = async (text: string, values: readonly unknown[] = []): Promise<readonly Record<string, unknown>[]> =>
    (await client.query<Record<string, unknown>>(text, [...values])).rows
  return {
    columns: async (table) => {
      const rows = await read(
        'select column_name as name from information_schema.columns where table_name = $1 and table_schema = any (current_schemas(false))',
        [table],
      )
      return new Set(rows.map(({ name }) => String(name)))
    },
    count: async (table) => Number((await read(`select count(*) as n from ${quoted(table)}`))[0]?.n ?? 0),
    page: async (table, { column, size, columns }, after) => {
      const beyond = after === undefined ? '' : `where ${quoted(column)} > $1`
      const rows = await read(
        `select row_to_json(t)::text as line from (select ${columns?.map(quoted).join(', ') ?? '*'} from ${quoted(table)} ${beyond} order by ${quoted(column)} limit ${size}) t`,
        after === undefined ? [] : [after],
      )
      return rows.map(({ line }) => parseObject(String(line)))
    },
    close: () => client.end(),
  }
}
