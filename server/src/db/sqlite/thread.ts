import { Worker } from 'node:worker_threads'
import {
  type Request,
  type RowsInsert,
  type SqliteAnswer,
  SqliteError,
  type SqliteValue,
  type ThreadData,
} from './protocol.ts'

/** The result of one statement; `rows` are objects by column name. */
export interface StatementOutcome {
  readonly rows: readonly Record<string, SqliteValue>[]
  readonly changes: number
  readonly insertId: number
}

/** A SQLite connection in its own thread. It answers in the order of the requests. */
export interface Thread {
  query(sql: string, parameters: readonly SqliteValue[]): Promise<StatementOutcome>
  /**
   * Inserts rows of `width` cells each, all or nothing, in the open transaction or in its own; of `inserts`, which go from
   * many rows to one, each takes what is left as often as it can.
   */
  many(inserts: readonly RowsInsert[], cells: readonly SqliteValue[], width: number): Promise<StatementOutcome>
  forget(): void
  close(): Promise<void>
  /** How many questions are not answered yet. */
  pending(): number
  isAlive(): boolean
}

interface Waiting {
  resolve(outcome: StatementOutcome): void
  reject(error: Error): void
}

const asObjects = (
  columns: readonly string[],
  rows: readonly (readonly SqliteValue[])[],
): Record<string, SqliteValue>[] =>
  rows.map((cells) => {
    const row: Record<string, SqliteValue> = {}
    columns.forEach((column, index) => {
      row[column] = cells[index] ?? null // own names: columns of our statements
    })
    return row
  })

const outcomeOf = (answer: SqliteAnswer): StatementOutcome | SqliteError => {
  switch (answer[1]) {
    case 'rows': {
      const rows = asObjects(answer[2], answer[3])
      return { rows, changes: rows.length, insertId: 0 }
    }
    case 'done':
      return { rows: [], changes: answer[2], insertId: answer[3] }
    case 'failed':
      return new SqliteError(answer[2], answer[3], answer[4])
  }
}

/**
 * MiB. Rows pass through a thread in lists that are soon done with. By itself V8 would let each thread's young heap grow to what is
 * set for the process, whose calls leave much more.
 */
const youngMebibytes = 24

/** Starts the thread of a connection, without the flags of this process: some are not for threads. */
export const startWorker = (data: ThreadData): Worker =>
  new Worker(new URL('./worker.ts', import.meta.url), {
    workerData: data,
    name: 'sqlite',
    execArgv: [],
    resourceLimits: { maxYoungGenerationSizeMb: youngMebibytes },
  })

/** Sends queries to a worker. When the worker dies, its open queries are rejected. */
export const openThread = (worker: Worker): Thread => {
  const waiting = new Map<number, Waiting>()
  let lastId = 0
  let death: SqliteError | undefined

  const die = (cause?: unknown): void => {
    const reason = cause instanceof Error ? `: ${cause.message}` : ''
    death ??= new SqliteError(`The SQLite thread ended${reason}`, 'ERR_SQLITE_THREAD', 0, cause)
    for (const { reject } of waiting.values()) reject(death)
    waiting.clear()
  }

  worker.on('message', (answer: SqliteAnswer) => {
    const request = waiting.get(answer[0])
    waiting.delete(answer[0])
    const outcome = outcomeOf(answer)
    if (outcome instanceof SqliteError) request?.reject(outcome)
    else request?.resolve(outcome)
  })
  worker.on('error', die)
  worker.on('exit', () => die())

  const ask = (request: (id: number) => Request): Promise<StatementOutcome> =>
    new Promise((resolve, reject) => {
      if (death !== undefined) {
        reject(death)
        return
      }
      lastId += 1
      worker.postMessage(request(lastId))
      waiting.set(lastId, { resolve, reject })
    })

  return {
    query: (sql, parameters) => ask((id) => [id, 'query', sql, parameters]),
    many: (inserts, cells, width) => ask((id) => [id, 'many', inserts, cells, width]),
    forget: () => void ask((id) => [id, 'forget']).catch(() => undefined),
    close: async () => {
      if (death !== undefined) return
      const ended = new Promise((resolve) => worker.once('exit', resolve))
      await ask((id) => [id, 'close'])
      await ended
    },
    pending: () => waiting.size,
    isAlive: () => death === undefined,
  }
}
