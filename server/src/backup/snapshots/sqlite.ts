import { DatabaseSync } from 'node:sqlite'
import { z } from 'zod'
import { asCell, type BackupCell, type BackupTable, isKept, rowsAtOnceOf, type Snapshot } from './snapshot.ts'

const names = z.array(z.object({ name: z.string() }))
const sequence = z.object({ seq: z.number() }).optional()
const row = z.array(z.unknown())

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** A read transaction of a file in WAL mode: writers of other connections go on. */
export const openSqliteSnapshot = async (path: string): Promise<Snapshot> => {
  const database = new DatabaseSync(path, { readOnly: true, timeout: 5_000 })
  database.exec('begin')
  const found = names.parse(database.prepare(`select name from sqlite_schema where type = 'table' order by name`).all())
  const numbered = new Set(
    names
      .parse(database.prepare(`select name from sqlite_schema where sql like '%autoincrement%'`).all())
      .map(({ name }) => name),
  )
  const tables = found
    .filter(({ name }) => isKept(name))
    .map(({ name }): BackupTable => {
      const columns = names.parse(database.prepare(`select name from pragma_table_info(?)`).all(name))
      const last = numbered.has(name)
        ? (sequence.parse(database.prepare('select seq from sqlite_sequence where name = ?').get(name))?.seq ?? 0)
        : undefined
      return { name, columns: columns.map((column) => column.name), nextId: last === undefined ? undefined : last + 1 }
    })
  return {
    tables,
    async *rows({ name, columns }) {
      const statement = database.prepare(`select ${columns.map(quoted).join(', ')} from ${quoted(name)}`)
      statement.setReturnArrays(true)
      let batch: BackupCell[][] = []
      for (const values of statement.iterate()) {
        batch.push(row.parse(values).map(asCell))
        if (batch.length < rowsAtOnceOf(name)) continue
        yield batch
        batch = []
      }
      if (batch.length > 0) yield batch
    },
    async close() {
      database.exec('rollback')
      database.close()
    },
  }
}
