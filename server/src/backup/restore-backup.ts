import type { Readable } from 'node:stream'
import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { migrate, migrateLogs, migrateTo } from '../db/migrate.ts'
import type { Tables } from '../db/schema.ts'
import { openEpoch } from '../ledger/epoch/stored-epoch.ts'
import { type BackedUpTable, type BackupRow, readBackup } from './format.ts'
import { rowsAtOnceOf } from './snapshots/snapshot.ts'

export interface Restored {
  readonly rows: number
  readonly tables: number
  /** Unix seconds: the moment that the copy shows. */
  readonly at: number
  /** Version of the program that wrote the backup. */
  readonly version: string
}

/** Tables that live in the log database where there is one. */
const logTables: ReadonlySet<string> = new Set(['logs'])

const tableNames = async ({ query }: Database): Promise<ReadonlySet<string>> =>
  new Set((await query.introspection.getTables()).map(({ name }) => name))

const assertEmpty = async (database: Database): Promise<void> => {
  if (!(await tableNames(database)).has('users')) return
  const found = await database.query.selectFrom('users').select('id').limit(1).executeTakeFirst()
  if (found !== undefined)
    throw new Error(
      'The database is not empty. A backup is restored into an empty one: name another, or drop its tables.',
    )
}

/** The next row gets this number, so that none is given twice. */
const setNextId = async ({ engine, query }: Database, table: string, next: number): Promise<void> => {
  switch (engine) {
    case 'postgres':
      await sql`select setval(pg_get_serial_sequence(${table}, 'id'), ${next}, false)`.execute(query)
      return
    case 'mysql':
      await sql`alter table ${sql.table(table)} auto_increment = ${sql.lit(next)}`.execute(query)
      return
    case 'sqlite':
      await sql`delete from sqlite_sequence where name = ${table}`.execute(query)
      await sql`insert into sqlite_sequence (name, seq) values (${table}, ${next - 1})`.execute(query)
  }
}

/**
 * Fills an empty database of any engine with a backup, brings it to the schema of this version and gives it an epoch of its own,
 * so that nothing that Redis knows counts for it. One that is to stay as it was gets neither. @throws Error when the database is not empty, or the backup is damaged or
 * of a later version; the database is then to be thrown away.
 */
export const restoreBackup = async (
  source: Readable,
  { database, logDatabase }: { database: Database; logDatabase: Database },
  schema: 'of this version' | 'as it was' = 'of this version',
): Promise<Restored> => {
  // It may break before it is read; the reader then learns of it.
  source.on('error', () => undefined)
  await assertEmpty(database)
  const { head, parts } = await readBackup(source)
  await migrateTo(database, head.steps)
  if (logDatabase !== database) await migrateLogs(logDatabase)

  const placeOf = ({ name, database: from }: BackedUpTable): Database => {
    if (head.log) return from === 'log' ? logDatabase : database
    return logTables.has(name) ? logDatabase : database
  }
  const known = new Map<Database, ReadonlySet<string>>()
  for (const place of new Set([database, logDatabase])) known.set(place, await tableNames(place))

  const nextIds: (() => Promise<void>)[] = []
  const begun = new Map<Database, Set<string>>()
  /** Steps of the schema write first rows. Two databases that become one fill a table twice, and late rows of the log follow the others. */
  const empty = async (place: Database, table: string): Promise<void> => {
    const names = begun.get(place) ?? new Set()
    begun.set(place, names)
    if (names.has(table)) return
    names.add(table)
    await sql`delete from ${sql.table(table)}`.execute(place.query)
  }
  let at: { table: BackedUpTable; place: Database } | undefined
  let waiting: BackupRow[] = []
  let rows = 0
  const write = async (): Promise<void> => {
    if (at === undefined || waiting.length === 0) return
    const { table, place } = at
    const batch = waiting
    waiting = []
    rows += batch.length
    // The names were compared with those of the database.
    await place.insertMany(table.name as keyof Tables, {
      columns: table.columns,
      count: batch.length,
      cellsAt: (index) => batch[index] ?? [],
    })
  }

  for await (const part of parts) {
    if (part.kind === 'row') {
      waiting.push(part.row)
      if (at !== undefined && waiting.length >= rowsAtOnceOf(at.table.name)) await write()
      continue
    }
    await write()
    const { table } = part
    const place = placeOf(table)
    if (known.get(place)?.has(table.name) !== true)
      throw new Error(`The backup has a table ${table.name}, which this version does not know.`)
    at = { table, place }
    await empty(place, table.name)
    const { nextId } = table
    if (nextId !== undefined) nextIds.push(() => setNextId(place, table.name, nextId))
  }
  await write()
  for (const set of nextIds) await set()

  if (schema === 'of this version') {
    await migrate(database)
    // Processes that wrote signs of life into the copied database do not serve from this one.
    await database.query.deleteFrom('signs_of_life').execute()
    const epoch = await openEpoch(database)
    await epoch.renew(epoch.name)
  }
  const tables = [...begun.values()].reduce((sum, names) => sum + names.size, 0)
  return { rows, tables, at: head.at, version: head.version }
}
