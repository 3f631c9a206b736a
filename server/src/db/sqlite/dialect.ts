import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import type { RowsInsert } from './protocol.ts'
import { readsQuickly } from './quick-reads.ts'
import type { SqliteValue, StatementOutcome, Thread, Threads } from './threads.ts'
import { createWriterQueue, type WriterQueue } from './writer-queue.ts'

const writerWaitLimitMs = 30_000

/** A connection that can also insert many rows in a single message (see `Thread.many`). */
export interface SqliteConnection extends DatabaseConnection {
  insertRows(inserts: readonly RowsInsert[], cells: readonly SqliteValue[], width: number): Promise<void>
}

interface Session extends SqliteConnection {
  begin(): Promise<void>
  finish(how: 'commit' | 'rollback'): Promise<void>
  leave(): void
}

const changesSchema = (sql: string): boolean => /^\s*(create|alter|drop)\b/i.test(sql)

// A mistaken guess is safe: readers cannot write, and the writer can read.
const onlyReads = ({ query, sql }: CompiledQuery): boolean => {
  if (query.kind === 'SelectQueryNode') return true
  if (query.kind !== 'RawNode') return false
  return /^\s*select\b/i.test(sql) || (/^\s*with\b/i.test(sql) && !/\b(insert|update|delete|replace)\b/i.test(sql))
}

const storable = (parameter: unknown): SqliteValue => {
  if (parameter === undefined) return null
  return typeof parameter === 'boolean' ? Number(parameter) : (parameter as SqliteValue)
}

const resultOf = <R>({ rows, changes, insertId }: StatementOutcome): QueryResult<R> => ({
  // Kysely types the rows of a query; the SQL decides their real types.
  rows: rows as R[],
  numAffectedRows: BigInt(changes),
  insertId: BigInt(insertId),
})

/** A connection in Kysely's sense: outside a transaction a way to the threads, inside it the writer's lease. */
const openSession = (threads: Threads, queue: WriterQueue): Session => {
  let lease: { readonly writer: Thread; readonly leave: () => void } | undefined
  let schemaChanged = false
  /** A failed insert of many rows has undone the transaction: what follows must not be written without it. */
  let undone = false

  const run = (sql: string, parameters: readonly SqliteValue[]): Promise<StatementOutcome> => {
    if (undone && sql !== 'rollback') return Promise.reject(new Error('An earlier failure has undone this transaction'))
    if (lease !== undefined) return lease.writer.query(sql, parameters)
    return queue.pass(() => threads.writer().query(sql, parameters))
  }

  const forgetWhenChanged = (): void => {
    if (schemaChanged && lease === undefined) {
      schemaChanged = false
      threads.forget()
    }
  }

  /** None for queries that the writer answers synchronously: so an idle process has no reader threads. */
  const readerFor = (compiled: CompiledQuery): Thread | undefined =>
    queue.isFree() && readsQuickly(compiled) && threads.answersSoon() ? undefined : threads.reader()

  const execute = async <R>(compiled: CompiledQuery): Promise<QueryResult<R>> => {
    const parameters = compiled.parameters.map(storable)
    const reader = lease === undefined && onlyReads(compiled) ? readerFor(compiled) : undefined
    if (reader !== undefined) return resultOf(await reader.query(compiled.sql, parameters))
    const outcome = await run(compiled.sql, parameters)
    schemaChanged ||= changesSchema(compiled.sql)
    forgetWhenChanged()
    return resultOf(outcome)
  }

  return {
    executeQuery: execute,
    async *streamQuery<R>(compiled: CompiledQuery) {
      yield await execute<R>(compiled)
    },
    insertRows: async (inserts, cells, width) => {
      if (lease === undefined) {
        await queue.pass(() => threads.writer().many(inserts, cells, width))
        return
      }
      try {
        await lease.writer.many(inserts, cells, width)
      } catch (error) {
        undone = true
        throw error
      }
    },
    begin: async () => {
      const leave = await queue.take()
      lease = { writer: threads.writer(), leave }
      await lease.writer.query('begin immediate', [])
    },
    finish: async (how) => {
      await run(how, [])
    },
    leave: () => {
      lease?.leave()
      lease = undefined
      undone = false
      forgetWhenChanged()
    },
  }
}

class Adapter extends SqliteAdapter {
  // Sessions share the threads, so Kysely need not queue them.
  override get supportsMultipleConnections(): boolean {
    return true
  }

  // The migration's transaction is its lock: `begin immediate` waits for another process.
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

/** Kysely's way to the threads: plain selects go to readers but for quick ones while the writer is idle, everything else to the writer. */
export const sqliteDialect = (threads: Threads): Dialect => {
  const queue = createWriterQueue({ waitLimitMs: writerWaitLimitMs })
  // Kysely hands back the connections that `acquireConnection` gave.
  const session = (connection: DatabaseConnection): Session => connection as Session
  const driver: Driver = {
    init: async () => undefined,
    acquireConnection: async () => openSession(threads, queue),
    beginTransaction: (connection) => session(connection).begin(),
    commitTransaction: (connection) => session(connection).finish('commit'),
    rollbackTransaction: (connection) => session(connection).finish('rollback'),
    releaseConnection: async (connection) => session(connection).leave(),
    // The threads are closed by who opened them: Kysely would not call this when no query ever ran.
    destroy: async () => undefined,
  }
  return {
    createDriver: () => driver,
    createAdapter: () => new Adapter(),
    createIntrospector: (database) => new SqliteIntrospector(database),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
}
