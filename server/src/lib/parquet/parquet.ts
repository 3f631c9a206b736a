import { type ChildProcess, fork } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'

/** Messages between the server and its Parquet process. */
export type ParquetValue = string | number | null
export type CellRow = Readonly<Record<string, ParquetValue>>

export type ParquetRequest =
  | { readonly id: number; readonly kind: 'run'; readonly sql: string; readonly values: readonly string[] }
  /** Rows for the table `work.rows`, in the order of its columns. */
  | { readonly id: number; readonly kind: 'append'; readonly rows: readonly (readonly ParquetValue[])[] }
  | { readonly id: number; readonly kind: 'cancel'; readonly request: number }

export interface ParquetAnswer {
  readonly id: number
  readonly rows?: readonly CellRow[]
  /** Why it failed. */
  readonly error?: string
}

/** Reads and writes Parquet files with SQL, in a process that is started when it is needed. */
export interface Parquet {
  /**
   * Runs a statement of DuckDB; `$1` and so on stand for `values`. After `timeoutMs` it is broken off.
   * @throws ParquetError
   */
  run(
    sql: string,
    how?: { readonly values?: readonly string[]; readonly timeoutMs?: number },
  ): Promise<readonly CellRow[]>
  /** Adds rows to the table `work.rows`, which a statement has made. @throws ParquetError */
  append(rows: readonly (readonly ParquetValue[])[]): Promise<void>
  close(): Promise<void>
}

/** A statement failed, was broken off, or the process did not start. */
class ParquetError extends Error {
  override readonly name = 'ParquetError'
}

/** Its memory goes back when it was not used for so long. */
const idleMs = 60_000
const longestMs = 10 * 60_000
/** A statement that is broken off ends within this time, or the process does. */
const cancelMs = 5_000

interface Waiting {
  readonly resolve: (rows: readonly CellRow[]) => void
  readonly reject: (error: ParquetError) => void
}

interface Running {
  readonly child: ChildProcess
  readonly ready: Promise<unknown>
  readonly waiting: Map<number, Waiting>
}

type Unnumbered =
  | { kind: 'run'; sql: string; values: readonly string[] }
  | { kind: 'append'; rows: readonly (readonly ParquetValue[])[] }

/** @param folder for what does not fit into the process's memory */
export const openParquet = (folder: string): Parquet => {
  let running: Running | undefined
  let lastId = 0
  let idle: NodeJS.Timeout | undefined

  const start = (): Running => {
    const child = fork(join(import.meta.dirname, 'parquet-process.ts'), [folder], {
      serialization: 'advanced',
      stdio: 'ignore',
      // It needs none of the server's secrets.
      env: { PATH: process.env.PATH },
      execArgv: [],
    })
    const waiting = new Map<number, Waiting>()
    const failAll = (message: string): void => {
      if (running?.child === child) running = undefined
      for (const { reject } of waiting.values()) reject(new ParquetError(message))
      waiting.clear()
    }
    child.on('message', ({ id, rows, error }: ParquetAnswer) => {
      const asker = waiting.get(id)
      waiting.delete(id)
      if (error === undefined) asker?.resolve(rows ?? [])
      else asker?.reject(new ParquetError(error))
    })
    child.on('error', (error) => failAll(error.message))
    child.on('exit', () => failAll('The Parquet process ended.'))
    child.unref()
    child.channel?.unref()
    const ready = new Promise<unknown>((resolve, reject) => waiting.set(0, { resolve, reject }))
    return { child, ready, waiting }
  }

  const rest = (): void => {
    clearTimeout(idle)
    idle = setTimeout(() => {
      if (running !== undefined && running.waiting.size === 0) running.child.disconnect()
    }, idleMs)
    idle.unref()
  }

  const ask = async (unnumbered: Unnumbered, timeoutMs: number): Promise<readonly CellRow[]> => {
    await mkdir(folder, { recursive: true })
    running ??= start()
    const { child, ready, waiting } = running
    child.channel?.ref()
    await ready
    lastId += 1
    const id = lastId
    const cancel = setTimeout(
      () => child.send({ id: 0, kind: 'cancel', request: id } satisfies ParquetRequest),
      timeoutMs,
    )
    const kill = setTimeout(() => child.kill('SIGKILL'), timeoutMs + cancelMs)
    try {
      return await new Promise<readonly CellRow[]>((resolve, reject) => {
        waiting.set(id, { resolve, reject })
        child.send({ ...unnumbered, id } satisfies ParquetRequest, (error) => {
          if (error !== null) reject(new ParquetError(error.message))
        })
      })
    } finally {
      waiting.delete(id)
      clearTimeout(cancel)
      clearTimeout(kill)
      if (waiting.size === 0) child.channel?.unref()
      rest()
    }
  }

  return {
    run: (sql, { values = [], timeoutMs = longestMs } = {}) => ask({ kind: 'run', sql, values }, timeoutMs),
    async append(rows) {
      await ask({ kind: 'append', rows }, longestMs)
    },
    async close() {
      clearTimeout(idle)
      const child = running?.child
      running = undefined
      if (child === undefined || child.exitCode !== null) return
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGKILL')
      await ended
    },
  }
}

/** A path or another text as DuckDB reads it between quotes; it knows no escapes but the doubled quote. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`
