import { Readable } from 'node:stream'
import { createGzip } from 'node:zlib'
import type { DatabaseAddress } from '../db/database.ts'
import { type Encryption, encrypted } from './encryption.ts'
import { printEnd, printHead, printRows, printTable } from './format.ts'
import { openSnapshot } from './snapshots/open-snapshot.ts'
import type { BackupTable, Snapshot } from './snapshots/snapshot.ts'

export interface BackupSource {
  readonly database: DatabaseAddress
  /** Where logs live when not in the main database. */
  readonly logDatabase: DatabaseAddress | undefined
  /** Of this program. */
  readonly version: string
  /** Unix seconds. */
  readonly at: number
}

export interface Backup {
  /** Compressed, and encrypted if asked for. */
  readonly bytes: Readable
  /** Rows so far; all of them once `bytes` has ended. */
  readonly rows: number
  close(): Promise<void>
}

const stepsTable = 'migrations'
/** What a restored database makes itself. */
const own = new Set([stepsTable, 'log_migrations'])

const stepsIn = async (snapshot: Snapshot): Promise<string[]> => {
  const table = snapshot.tables.find(({ name }) => name === stepsTable)
  if (table === undefined) throw new Error('There is no database of Tollgate at this address.')
  const place = table.columns.indexOf('name')
  const steps: string[] = []
  for await (const rows of snapshot.rows(table)) steps.push(...rows.map((row) => String(row[place])))
  return steps.sort()
}

/** Reads both databases as they are at this moment, while others go on writing. */
export const openBackup = async (
  { database, logDatabase, version, at }: BackupSource,
  encryption?: Encryption,
): Promise<Backup> => {
  const main = await openSnapshot(database)
  const log = logDatabase === undefined ? undefined : await openSnapshot(logDatabase)
  const steps = await stepsIn(main)
  let count = 0

  async function* tablesOf(snapshot: Snapshot, place: 'main' | 'log'): AsyncGenerator<string> {
    for (const table of snapshot.tables) {
      if (own.has(table.name)) continue
      yield printTable(shown(table, place))
      for await (const rows of snapshot.rows(table)) {
        count += rows.length
        yield printRows(rows)
      }
    }
  }
  async function* lines(): AsyncGenerator<string> {
    yield printHead({ version, engine: database.engine, at, log: log !== undefined, steps })
    yield* tablesOf(main, 'main')
    if (log !== undefined) yield* tablesOf(log, 'log')
    yield printEnd(count)
  }

  const plain = Readable.from(lines())
  const zipped = plain.pipe(createGzip())
  // `pipe` does not carry errors on.
  plain.on('error', (error) => zipped.destroy(error))
  return {
    bytes: encryption === undefined ? zipped : await encrypted(zipped, encryption),
    get rows() {
      return count
    },
    async close() {
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
