import { setPriority } from 'node:os'
import { type DuckDbConnection, loadDuckDb } from './duckdb.ts'
import type { CellRow, ParquetAnswer, ParquetRequest, ParquetValue } from './parquet.ts'

/** Below the server and its database. */
const niceness = 10

const options = {
  threads: '1',
  memory_limit: '384MB',
  temp_directory: process.argv[2] ?? '',
  // Nothing is fetched from the internet.
  autoinstall_known_extensions: 'false',
  autoload_known_extensions: 'false',
}

const cellOf = (value: unknown): ParquetValue =>
  typeof value === 'bigint' ? Number(value) : typeof value === 'string' || typeof value === 'number' ? value : null

const rowOf = (row: Record<string, unknown>): CellRow =>
  Object.fromEntries(Object.entries(row).map(([column, value]) => [column, cellOf(value)]))

/** A process of its own: DuckDB's memory goes back when it ends, and what goes wrong in it ends no call. */
const serve = async (): Promise<void> => {
  setPriority(niceness)
  const { DuckDBInstance } = await loadDuckDb()
  const instance = await DuckDBInstance.create(':memory:', options)
  const running = new Map<number, DuckDbConnection>()

  const append = async (
    connection: DuckDbConnection,
    rows: readonly (readonly ParquetValue[])[],
  ): Promise<CellRow[]> => {
    const appender = await connection.createAppender('rows', 'main', 'work')
    for (const row of rows) {
      for (const cell of row) {
        if (cell === null) appender.appendNull()
        else if (typeof cell === 'number') appender.appendBigInt(BigInt(cell))
        else appender.appendVarchar(cell)
      }
      appender.endRow()
    }
    appender.closeSync()
    return []
  }

  const answer = async (request: Exclude<ParquetRequest, { kind: 'cancel' }>): Promise<ParquetAnswer> => {
    const connection = await instance.connect()
    running.set(request.id, connection)
    try {
      if (request.kind === 'append') return { id: request.id, rows: await append(connection, request.rows) }
      const found = await connection.runAndReadAll(request.sql, request.values)
      return { id: request.id, rows: found.getRowObjectsJS().map(rowOf) }
    } catch (error) {
      return { id: request.id, error: error instanceof Error ? error.message : String(error) }
    } finally {
      running.delete(request.id)
      connection.closeSync()
    }
  }

  process.on('message', (request: ParquetRequest) => {
    if (request.kind === 'cancel') running.get(request.request)?.interrupt()
    else void answer(request).then((result) => process.send?.(result))
  })
  process.on('disconnect', () => process.exit(0))
  process.send?.({ id: 0, rows: [] } satisfies ParquetAnswer)
}

serve().catch((error: unknown) => {
  process.send?.({ id: 0, error: error instanceof Error ? error.message : String(error) } satisfies ParquetAnswer)
  process.disconnect()
})
