import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import { createBoundedCache } from '../../lib/caches/bounded-cache.ts'
import { storableNumber } from '../engines/safe-integer.ts'
import type { Request, RowsInsert, SqliteAnswer, SqliteValue, ThreadData } from './protocol.ts'

const statementsKept = 300
const busyTimeoutMs = 5_000
const walAttempts = 20

/** The journal mode changes only while no other connection holds the file, and SQLite does not wait for that by itself. */
const enterWal = (database: DatabaseSync, attempt = 1): void => {
  try {
    database.exec('pragma journal_mode = wal')
  } catch (error) {
    if (attempt >= walAttempts) throw error
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50 + Math.random() * 100)
    enterWal(database, attempt + 1)
  }
}

const openFile = ({ path, readOnly, durable, cacheKibibytes }: ThreadData): DatabaseSync => {
  const database = new DatabaseSync(path, {
    readOnly,
    timeout: busyTimeoutMs,
    enableForeignKeyConstraints: false,
  })
  // Only a new file takes it. Log rows are long: larger pages mean fewer writes for the same rows.
  if (!readOnly) database.exec('pragma page_size = 16384')
  if (!readOnly) enterWal(database)
  database.exec(`
    pragma synchronous = ${durable ? 'full' : 'normal'};
    pragma temp_store = memory;
    pragma mmap_size = ${readOnly ? 256 * 1024 * 1024 : 0};
    pragma cache_size = -${cacheKibibytes};
    pragma wal_autocheckpoint = 2000;
    pragma journal_size_limit = ${64 * 1024 * 1024};
    pragma analysis_limit = 400`)
  return database
}

interface Prepared {
  readonly statement: StatementSync
  readonly answersRows: boolean
  /** Read once, because reading is slow; only right after the first run, when SQLite has noticed a changed schema. */
  columns(): readonly string[]
}

const openStatements = (database: DatabaseSync) => {
  const kept = createBoundedCache<string, Prepared>({ entries: statementsKept })

  const prepare = (sql: string): Prepared => {
    const statement = database.prepare(sql)
    statement.setReturnArrays(true)
    let names: readonly string[] | undefined
    return {
      statement,
      answersRows: statement.columns().length > 0,
      columns: () => {
        names ??= statement.columns().map(({ name }) => name)
        return names
      },
    }
  }

  const of = (sql: string): Prepared => {
    const found = kept.get(sql)
    if (found !== undefined) return found
    const prepared = prepare(sql)
    kept.set(sql, prepared)
    return prepared
  }

  return { of, forget: () => kept.clear() }
}

// A plain number would be bound as a float, and 7 / 2 would be 3.5.
const bound = (cell: SqliteValue): SqliteValue => {
  if (typeof cell !== 'number') return cell
  return Number.isInteger(storableNumber(cell)) ? BigInt(cell) : cell
}

const serve = (data: ThreadData, post: (answer: SqliteAnswer) => void) => {
  const database = openFile(data)
  const statements = openStatements(database)

  const query = (id: number, sql: string, parameters: readonly SqliteValue[]): SqliteAnswer => {
    // After some failures SQLite has rolled back by itself.
    if (sql === 'rollback' && !database.isTransaction) return [id, 'done', 0, 0]
    const { statement, answersRows, columns } = statements.of(sql)
    if (answersRows) {
      // The types do not know `setReturnArrays`.
      const rows = statement.all(...parameters.map(bound)) as unknown as SqliteValue[][]
      return [id, 'rows', columns(), rows]
    }
    const { changes, lastInsertRowid } = statement.run(...parameters.map(bound))
    return [id, 'done', Number(changes), Number(lastInsertRowid)]
  }

  const insertRows = (inserts: readonly RowsInsert[], cells: readonly SqliteValue[], width: number): number => {
    let changes = 0
    let at = 0
    for (const [rowCount, sql] of inserts) {
      const step = rowCount * width
      if (cells.length - at < step) continue
      const { statement } = statements.of(sql)
      for (; cells.length - at >= step; at += step) {
        // Columns turn whole floats into integers when they store them, so nothing needs to be bound as a bigint here.
        changes += Number(statement.run(...cells.slice(at, at + step)).changes)
      }
    }
    return changes
  }

  const many = (
    id: number,
    inserts: readonly RowsInsert[],
    cells: readonly SqliteValue[],
    width: number,
  ): SqliteAnswer => {
    if (database.isTransaction) return [id, 'done', insertRows(inserts, cells, width), 0]
    database.exec('begin immediate')
    try {
      const changes = insertRows(inserts, cells, width)
      database.exec('commit')
      return [id, 'done', changes, 0]
    } catch (error) {
      if (database.isTransaction) database.exec('rollback')
      throw error
    }
  }

  const close = (): void => {
    statements.forget()
    if (!data.readOnly) database.exec('pragma optimize')
    database.close()
  }

  const answer = (request: Request): SqliteAnswer => {
    const [id, kind] = request
    switch (kind) {
      case 'query':
        return query(id, request[2], request[3])
      case 'many':
        return many(id, request[2], request[3], request[4])
      case 'forget':
        statements.forget()
        return [id, 'done', 0, 0]
      case 'close':
        close()
        return [id, 'done', 0, 0]
    }
  }

  const failed = (id: number, error: unknown): SqliteAnswer => {
    const { message, code, errcode } = error as { message: string; code?: string; errcode?: number }
    return [id, 'failed', message, code ?? '', errcode ?? 0]
  }

  return (request: Request): void => {
    try {
      post(answer(request))
    } catch (error) {
      post(failed(request[0], error))
    }
  }
}

const port = parentPort
if (port !== null) {
  const handle = serve(workerData as ThreadData, (answer) => port.postMessage(answer))
  port.on('message', (request: Request) => {
    handle(request)
    if (request[1] === 'close') port.close()
  })
}
