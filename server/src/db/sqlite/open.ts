import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Kysely, sql } from 'kysely'
import type { Database, DatabaseAddress } from '../database.ts'
import { cellRowsOf, flatCells, insertStatement, skipExistingRows } from '../insert.ts'
import { retrying } from '../retry.ts'
import type { Tables } from '../schema.ts'
import { type SqliteConnection, sqliteDialect } from './dialect.ts'
import type { RowsInsert } from './protocol.ts'
import { openThread, startWorker } from './thread.ts'
import { openThreads } from './threads.ts'

const readersByDefault = 2

/**
 * Rows per insert, from many to one. Each statement on a table that never gives a row number twice also reads and writes
 * the last number, which costs as much as the row: 400 log rows with their ledger entries take 13 ms one by one, and 6 so.
 */
const rowsPerInsert = [32, 4, 1]

/**
 * A failure undoes the whole transaction, as it does on PostgreSQL. To undo only itself, each statement would first copy
 * every page that it touches: a quarter of the thread's work.
 */
const undoes = 'transaction'

/** Opens a SQLite file, creating it and its folder. `:memory:` has no readers, since memory is not shared. */
export const openSqlite = async ({ url, pool }: DatabaseAddress): Promise<Database> => {
  const inMemory = url === ':memory:'
  if (!inMemory) await mkdir(dirname(url), { recursive: true })
  const start = ({ readOnly }: { readOnly: boolean }) => openThread(startWorker({ path: url, readOnly }))
  const threads = await openThreads(start, inMemory ? 0 : (pool ?? readersByDefault))
  const query = new Kysely<Tables>({ dialect: sqliteDialect(threads) })
  return {
    engine: 'sqlite',
    query,
    transaction: (work) => retrying(() => query.transaction().execute(work)),
    insertMany: async (table, rows, { trx, skipExisting = false } = {}) => {
      const given = cellRowsOf(rows)
      const { columns, constants } = given
      if (given.rows.length === 0) return
      const ending = skipExisting ? skipExistingRows('sqlite', columns) : ''
      const shape = { table, columns, constants, undoes, ending } as const
      const inserts = rowsPerInsert.map(
        (rowCount): RowsInsert => [rowCount, insertStatement('sqlite', { ...shape, rowCount })],
      )
      const cells = flatCells(table, given)
      await (trx ?? query)
        .getExecutor()
        .provideConnection((connection) => (connection as SqliteConnection).insertRows(inserts, cells, columns.length))
    },
    ping: async () => {
      await sql`select 1`.execute(query)
    },
    close: async () => {
      await query.destroy()
      await threads.close()
    },
  }
}
