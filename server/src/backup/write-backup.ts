import { Readable } from 'node:stream'
import { createGzip } from 'node:zlib'
import type { DatabaseAddress, Engine } from '../db/database.ts'
import { type Encryption, encrypted } from './encryption.ts'
import { printEnd, printHead, printRows, printTable } from './format.ts'
import { openLateLogRows } from './late-log-rows.ts'
import type { BackupTable, Snapshot } from './snapshots/snapshot.ts'

const openers: Readonly<Record<Engine, (url: string) => Promise<Snapshot>>> = {
  sqlite: async (url) => (await import('./snapshots/sqlite.ts')).openSqliteSnapshot(url),
  postgres: async (url) => (await import('./snapshots/postgres.ts')).openPostgresSnapshot(url),
  mysql: async (url) => (await import('./snapshots/mysql.ts')).openMysqlSnapshot(url),
}

/** Opens what the database holds now. Reads of SQLite block the thread: it is meant for a process of its own. */
export const openSnapshot = ({ engine, url }: DatabaseAddress): Promise<Snapshot> => openers[engine](url)

export interface BackupSource {
  readonly database: DatabaseAddress
  /** Address of the log database, if logs are not in the main one. */
  readonly logDatabase: DatabaseAddress | undefined
  /** Version of this program. */
  readonly version: string
  /** Unix seconds. */
  readonly at: number
}

export interface Backup {
  /** Compressed, and encrypted if asked for. */
  readonly bytes: Readable
  /** Rows so far; all of them once `bytes` has ended. */
  readonly rows: number
  /** Closes the databases; also in the middle. */
  close(): Promise<void>
}

const stepsTable = 'migrations'
/** Tables that tell which rows of the log are still on their way. */
const watched = new Set(['ledger_entries', 'logs', 'log_gaps'])
/** Tables that a restored database makes itself. */
const own = new Set([stepsTable, 'log_migrations'])

const stepsIn = async (snapshot: Snapshot): Promise<string[]> => {
  const table = snapshot.tables.find(({ name }) => name === stepsTable)
  if (table === undefined) throw new Error('There is no database of Tollgate at this address.')
  const place = table.columns.indexOf('name')
  const steps: string[] = []
  for await (const rows of snapshot.rows(table)) steps.push(...rows.map((row) => String(row[place])))
  return steps.sort()
}

/** Reads both databases as they are at this moment, while others go on writing; the log also has the rows of charges of this moment. */
export const openBackup = async (
  { database, logDatabase, version, at }: BackupSource,
  encryption?: Encryption,
): Promise<Backup> => {
  // The log first: each of its rows then has its charge in the copy.
  const log = logDatabase === undefined ? undefined : await openSnapshot(logDatabase)
  const main = await openSnapshot(database)
  const late = openLateLogRows(logDatabase ?? database, at)
  const steps = await stepsIn(main)
  let count = 0

  async function* tablesOf(snapshot: Snapshot, place: 'main' | 'log'): AsyncGenerator<string> {
    for (const table of snapshot.tables) {
      if (own.has(table.name)) continue
      yield printTable(shown(table, place))
      if (watched.has(table.name)) late.see(table, [])
      for await (const rows of snapshot.rows(table)) {
        count += rows.length
        if (watched.has(table.name)) late.see(table, rows)
        yield printRows(rows)
      }
    }
  }
  async function* rest(place: 'main' | 'log'): AsyncGenerator<string> {
    const found = await late.read()
    if (found === undefined) return
    yield printTable(shown(found.table, place))
    count += found.rows.length
    yield printRows(found.rows)
  }
  async function* lines(): AsyncGenerator<string> {
    yield printHead({ version, engine: database.engine, at, log: log !== undefined, steps })
    yield* tablesOf(main, 'main')
    if (log !== undefined) yield* tablesOf(log, 'log')
    yield* rest(log === undefined ? 'main' : 'log')
    yield printEnd(count)
  }

  const plain = Readable.from(lines())
  const zipped = plain.pipe(createGzip())
  // `pipe` does not carry errors on.
  plain.on('error', (error) => zipped.destroy(error))
  // Whoever reads `bytes` learns of an error; without a reader, or after one that gave up, it ends no process.
  zipped.on('error', () => undefined)
  return {
    bytes: encryption === undefined ? zipped : await encrypted(zipped, encryption),
    get rows() {
      return count
    },
    async close() {
      // A reader that failed leaves rows unread; they must not be asked for once the databases are closed.
      plain.destroy()
      zipped.destroy()
      await main.close()
      await log?.close()
    },
  }
}

const shown = ({ name, columns, nextId }: BackupTable, database: 'main' | 'log') => ({
  database,
  name,
  columns: [...columns],
  ...(nextId === undefined ? {} : { nextId }),
})
