import { randomBytes } from 'node:crypto'
import { copyFile, mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type Kysely, sql } from 'kysely'
import type { TestProject } from 'vitest/node'
import type { DatabaseAddress, Engine } from '../../../src/db/database.ts'
import { openDatabase } from '../../../src/db/engines/open.ts'
import { migrate } from '../../../src/db/migrate.ts'
import type { Tables } from '../../../src/db/schema.ts'
import { chosenEngines, places, removePlaces, type ServerEngine, type TestDatabase } from './places.ts'

/** Addresses of the migrated databases, one for each engine that can be reached. */
export type Templates = Partial<Readonly<Record<Engine, DatabaseAddress>>>

declare module 'vitest' {
  interface ProvidedContext {
    templates: Templates
    /** Prefix of the names of databases that exist until the run ends. */
    databasePrefix: string
  }
}

/** Suites that name no engine have theirs on SQLite. */
const engines = new Set<Engine>(['sqlite', ...chosenEngines])

const migrated = async (engine: Engine): Promise<TestDatabase | undefined> => {
  const place = await places[engine]().catch(() => undefined)
  if (place === undefined) return undefined
  const database = await openDatabase(place.address)
  await migrate(database)
  await database.close()
  return place
}

/** Migrates one database per engine before the tests begin: copying it takes a tenth of the time, and hundreds are made. */
const setUp = async (project: TestProject): Promise<() => Promise<void>> => {
  const made = await Promise.all([...engines].map(async (engine) => ({ engine, place: await migrated(engine) })))
  const reached = made.flatMap(({ engine, place }) => (place === undefined ? [] : [[engine, place.address] as const]))
  const databasePrefix = `tollgate_${randomBytes(4).toString('hex')}`
  project.provide('templates', Object.fromEntries(reached))
  project.provide('databasePrefix', databasePrefix)
  return async () => {
    for (const { engine, place } of made) {
      if (place === undefined) continue
      if (engine !== 'sqlite') await removePlaces(engine, databasePrefix)
      await place.remove()
    }
  }
}
export default setUp

/** The schema or database that an address names. */
const nameIn = ({ engine, url }: DatabaseAddress): string => {
  const { pathname, searchParams } = new URL(url)
  if (engine === 'mysql') return pathname.slice(1)
  return searchParams.get('options')?.replace('-c search_path=', '') ?? ''
}

const copyTables = async (on: Kysely<Tables>, engine: ServerEngine, from: string): Promise<void> => {
  const found = await sql<{ name: string }>`select table_name as name from information_schema.tables
    where table_schema = ${from} order by table_name`.execute(on)
  const tables = found.rows.map(({ name }) => ({ name, table: sql.id(name), source: sql.id(from, name) }))
  for (const { table, source } of tables)
    await (engine === 'mysql'
      ? sql`create table ${table} like ${source}`
      : sql`create table ${table} (like ${source} including all)`
    ).execute(on)
  const counts = tables.map(
    ({ name, source }) => sql`select ${sql.lit(name)} as name from ${source} having count(*) > 0`,
  )
  const filled = await sql<{ name: string }>`${sql.join(counts, sql` union all `)}`.execute(on)
  for (const { name } of filled.rows)
    await sql`insert into ${sql.id(name)} select * from ${sql.id(from, name)}`.execute(on)
}

/** Fills an empty database with what the template of its engine has. */
export const copyTemplate = async (template: DatabaseAddress, address: DatabaseAddress): Promise<void> => {
  const { engine } = address
  if (engine === 'sqlite') {
    await mkdir(dirname(address.url), { recursive: true })
    await copyFile(template.url, address.url)
    return
  }
  const database = await openDatabase({ ...address, pool: 1 })
  await database.transaction((trx) => copyTables(trx, engine, nameIn(template)))
  await database.close()
}
