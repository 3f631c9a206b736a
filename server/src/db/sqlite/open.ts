import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type Kysely, sql } from 'kysely'
import { memoryLimit } from '../../lib/memory/memory-limit.ts'
import type { Database, DatabaseAddress } from '../database.ts'
import { openQuery } from '../dialect.ts'
import { retrying } from '../engines/retry.ts'
import { cellRowsOf, flatCells, insertStatement, skipExistingRows } from '../insert.ts'
import type { Tables } from '../schema.ts'
import { type SqliteConnection, sqliteDialect } from './dialect.ts'
import type { RowsInsert } from './protocol.ts'
import { openThread, startWorker } from './thread.ts'
import { openThreads } from './threads.ts'

/** Memory of an open SQLite file. */
interface FileMemory {
  /** Threads for reading, each of which takes about 9 MB besides its cache. */
  readonly readers: number
  /** Pages that the writer keeps, KiB. */
  readonly writerCache: number
  /** Pages that each reader keeps, KiB. */
  readonly readerCache: number
}

const mebibyte = 1024 * 1024

/** `limitBytes` is the memory of the machine or the container; the steps are those of `memorySettings`. */
export const fileMemoryFor = (limitBytes: number): FileMemory => {
  if (limitBytes <= 320 * mebibyte) return { readers: 1, writerCache: 8 * 1024, readerCache: 4 * 1024 }
  if (limitBytes <= 768 * mebibyte) return { readers: 2, writerCache: 16 * 1024, readerCache: 8 * 1024 }
  return { readers: 2, writerCache: 32 * 1024, readerCache: 16 * 1024 }
}

/**
 * Rows per insert, from many to one. Each statement on a table that never gives a row number twice also reads and writes
 * the last number, which costs as much as the row: 400 log rows with their ledger entries take 13 ms one by one, and 6 so.
 */
const mostPerInsert = 32
const rowsPerInsert = [mostPerInsert, 4, 1]

/**
 * Of one message. A batch of the log in a single list would be too large for V8's young generation: it gets such a list from the
 * kernel page by page, again and again while the list grows, and gives it back.
 */
const cellsPerMessage = 9216
const rowsPerMessage = (width: number): number => {
  const rows = Math.max(1, Math.floor(cellsPerMessage / width))
  // As many as whole statements take: the rest would go one by one.
  return rows - (rows > mostPerInsert ? rows % mostPerInsert : 0)
}

/**
 * A failure undoes the whole transaction, as it does on PostgreSQL. To undo only itself, each statement would first copy
 * every page that it touches: a quarter of the thread's work.
 */
const undoes = 'transaction'

/** Opens a SQLite file, creating it and its folder, which only its owner reads. `:memory:` has no readers, since memory is not shared. */
export const openSqlite = async ({
  url,
  pool,
  durable = false,
  readersLater = false,
}: DatabaseAddress): Promise<Database> => {
  const inMemory = url === ':memory:'
  if (!inMemory) await mkdir(dirname(url), { recursive: true, mode: 0o700 })
  const { readers, readerCache, writerCache } = fileMemoryFor(memoryLimit())
  const start = ({ readOnly }: { readOnly: boolean }) =>
    openThread(startWorker({ path: url, readOnly, durable, cacheKibibytes: readOnly ? readerCache : writerCache }))
  const threads = await openThreads(start, inMemory ? 0 : (pool ?? readers), { readersLater })
  const query = openQuery(sqliteDialect(threads))
  const transaction: Database['transaction'] = (work) => retrying(() => query.transaction().execute(work))
  return {
    engine: 'sqlite',
    query,
    transaction,
    insertMany: async (table, rows, { trx, skipExisting = false } = {}) => {
      const cellRows = cellRowsOf(rows)
      const { columns, constants, count } = cellRows
      if (count === 0) return
      const ending = skipExisting ? skipExistingRows('sqlite', columns) : ''
      const shape = { table, columns, constants, undoes, ending } as const
      const inserts = rowsPerInsert.map(
        (rowCount): RowsInsert => [rowCount, insertStatement('sqlite', { ...shape, rowCount })],
      )
      const step = rowsPerMessage(columns.length)
      const insert = (on: Kysely<Tables>): Promise<void> =>
        on.getExecutor().provideConnection(async (connection) => {
          for (let from = 0; from < count; from += step) {
            const cells = flatCells(table, cellRows, from, Math.min(count, from + step))
            await (connection as SqliteConnection).insertRows(inserts, cells, columns.length)
          }
        })
      if (trx !== undefined || count <= step) await insert(trx ?? query)
      else await transaction(insert)
    },
    ping: async () => {
      await sql`select 1`.execute(query)
    },
    startReading: threads.startReading,
    close: async () => {
      await query.destroy()
      await threads.close()
    },
  }
}
