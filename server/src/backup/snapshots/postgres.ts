import pg from 'pg'
import { z } from 'zod'
import { safeInteger } from '../../db/engines/safe-integer.ts'
import { asCell, type BackupTable, isKept, rowsAtOnceOf, type Snapshot } from './snapshot.ts'

const cells = z.array(z.array(z.unknown()))
const columnRows = z.array(z.object({ table_name: z.string(), column_name: z.string(), numbered: z.boolean() }))
const nextRow = z.tuple([z.object({ next: z.string() })])

const int8 = 20

const types: pg.CustomTypesConfig = {
  getTypeParser: (type, format) => (type === int8 ? safeInteger : pg.types.getTypeParser(type, format)),
}

/** A read-only transaction that sees one moment. Writers go on. */
export const openPostgresSnapshot = async (url: string): Promise<Snapshot> => {
  const client = new pg.Client({ connectionString: url, types })
  // A connection that breaks fails what is read; without a listener, its error would also end the process.
  client.on('error', () => undefined)
  await client.connect()
  await client.query('begin transaction isolation level repeatable read read only')
  const { rows: found } = await client.query(
    `select c.table_name, c.column_name, c.is_identity = 'YES' as numbered
       from information_schema.columns c
       join information_schema.tables t using (table_schema, table_name)
      where c.table_schema = current_schema() and t.table_type = 'BASE TABLE'
      order by c.table_name, c.ordinal_position`,
  )
  const byTable = Map.groupBy(columnRows.parse(found), ({ table_name }) => table_name)
  const tables: BackupTable[] = []
  for (const [name, columns] of byTable) {
    if (!isKept(name)) continue
    const id = columns.find(({ numbered }) => numbered)?.column_name
    tables.push({
      name,
      columns: columns.map(({ column_name }) => column_name),
      nextId: id === undefined ? undefined : await nextOf(client, name, id),
    })
  }
  return {
    tables,
    async *rows({ name, columns }) {
      const listed = columns.map((column) => client.escapeIdentifier(column)).join(', ')
      await client.query(
        `declare backup_rows no scroll cursor for select ${listed} from ${client.escapeIdentifier(name)}`,
      )
      for (;;) {
        const { rows } = await client.query({ text: `fetch ${rowsAtOnceOf(name)} from backup_rows`, rowMode: 'array' })
        if (rows.length === 0) break
        yield cells.parse(rows).map((row) => row.map(asCell))
      }
      await client.query('close backup_rows')
    },
    async close() {
      await client.query('rollback')
      await client.end()
    },
  }
}

const nextOf = async (client: pg.Client, table: string, column: string): Promise<number> => {
  const sequence = await client.query('select pg_get_serial_sequence($1, $2) as name', [
    client.escapeIdentifier(table),
    column,
  ])
  const [{ name }] = z.tuple([z.object({ name: z.string() })]).parse(sequence.rows)
  const { rows } = await client.query(
    `select (case when is_called then last_value + 1 else last_value end)::text as next from ${name}`,
  )
  return Number(nextRow.parse(rows)[0].next)
}
