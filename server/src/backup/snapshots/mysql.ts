import type { Readable } from 'node:stream'
import { createConnection } from 'mysql2'
import { z } from 'zod'
import { asCell, type BackupCell, type BackupTable, isKept, rowsAtOnceOf, type Snapshot } from './snapshot.ts'

const row = z.array(z.unknown())
const columnRows = z.array(z.object({ table_name: z.string(), column_name: z.string() }))
const nextRows = z.array(z.object({ table_name: z.string(), next: z.number().nullable() }))

/** A read-only transaction that sees one moment. Writers go on. */
export const openMysqlSnapshot = async (url: string): Promise<Snapshot> => {
  const connection = createConnection({ uri: url, charset: 'utf8mb4', supportBigNumbers: true })
  // The error of a connection that breaks reaches no stream, and would end the process without a listener.
  let broken: Error | undefined
  let lines: Readable | undefined
  connection.on('error', (error: Error) => {
    broken = error
    lines?.destroy(error)
  })
  const ask = connection.promise()
  // Counters of tables are otherwise those of up to a day ago; MariaDB does not know the variable and counts at once.
  await ask.query('set session information_schema_stats_expiry = 0').catch(() => undefined)
  await ask.query('set session transaction isolation level repeatable read')
  await ask.query('start transaction with consistent snapshot, read only')
  const [columns] = await ask.query(
    `select c.table_name as table_name, c.column_name as column_name from information_schema.columns c
       join information_schema.tables t on t.table_schema = c.table_schema and t.table_name = c.table_name
      where c.table_schema = database() and t.table_type = 'BASE TABLE'
      order by c.table_name, c.ordinal_position`,
  )
  const [numbered] = await ask.query(
    `select table_name as table_name, auto_increment as next from information_schema.tables
      where table_schema = database() and auto_increment is not null`,
  )
  const nextOf = new Map(nextRows.parse(numbered).map(({ table_name, next }) => [table_name, next ?? 1]))
  const byTable = Map.groupBy(columnRows.parse(columns), ({ table_name }) => table_name)
  const tables = [...byTable]
    .filter(([name]) => isKept(name))
    .map(
      ([name, own]): BackupTable => ({
        name,
        columns: own.map(({ column_name }) => column_name),
        nextId: nextOf.get(name),
      }),
    )
  return {
    tables,
    async *rows({ name, columns: own }) {
      const text = `select ${own.map((column) => connection.escapeId(column)).join(', ')} from ${connection.escapeId(name)}`
      let batch: BackupCell[][] = []
      if (broken !== undefined) throw broken
      lines = connection.query({ sql: text, rowsAsArray: true }).stream({ highWaterMark: rowsAtOnceOf(name) })
      for await (const one of lines) {
        batch.push(row.parse(one).map(asCell))
        if (batch.length < rowsAtOnceOf(name)) continue
        yield batch
        batch = []
      }
      if (batch.length > 0) yield batch
    },
    async close() {
      await ask.query('rollback')
      await ask.end()
    },
  }
}
