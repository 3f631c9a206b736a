import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { DatabaseAddress, Engine } from '../../../src/db/database.ts'
import { openDatabase } from '../../../src/db/engines/open.ts'

/** A place for one database, empty, and how to remove it. */
export interface TestDatabase {
  readonly address: DatabaseAddress
  remove(): Promise<void>
}

export type ServerEngine = Exclude<Engine, 'sqlite'>

const connections = 5

export const servers = {
  postgres: {
    title: 'PostgreSQL',
    url: process.env.TEST_POSTGRES_URL ?? 'postgres://tollgate:tollgate@127.0.0.1:5432/tollgate_test',
  },
  mysql: {
    title: 'MySQL',
    url: process.env.TEST_MYSQL_URL ?? 'mysql://tollgate:tollgate@127.0.0.1:3306/tollgate_test',
  },
} as const

/**
 * Engines that suites for every engine run on: `TEST_ENGINES` names them, e.g. `sqlite` or `postgres,mysql`; all where it is
 * not set.
 */
export const chosenEngines: readonly Engine[] = (['sqlite', 'postgres', 'mysql'] as const).filter(
  (engine) => process.env.TEST_ENGINES?.split(',').includes(engine) ?? true,
)

const freshName = (prefix: string): string => `${prefix}_${randomBytes(8).toString('hex')}`

/** Runs a statement on a connection of its own. */
const once = async (engine: ServerEngine, statement: string): Promise<void> => {
  const database = await openDatabase({ engine, url: servers[engine].url, pool: 1 })
  await sql.raw(statement).execute(database.query)
  await database.close()
}

const newFile = async (): Promise<TestDatabase> => {
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-'))
  return {
    // Each reader is a thread, which takes a twelfth of a second to start.
    address: { engine: 'sqlite', url: join(folder, 'data', 'test.db'), pool: 1 },
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

const newSchema = async (prefix: string): Promise<TestDatabase> => {
  const schema = freshName(prefix)
  await once('postgres', `create schema ${schema}`)
  const url = new URL(servers.postgres.url)
  url.searchParams.set('options', `-c search_path=${schema}`)
  return {
    address: { engine: 'postgres', url: url.href, pool: connections },
    remove: () => once('postgres', `drop schema ${schema} cascade`),
  }
}

const newServerDatabase = async (prefix: string): Promise<TestDatabase> => {
  const name = freshName(prefix)
  await once('mysql', `create database ${name} character set utf8mb4 collate utf8mb4_bin`)
  const url = new URL(servers.mysql.url)
  url.pathname = `/${name}`
  return {
    address: { engine: 'mysql', url: url.href, pool: connections },
    remove: () => once('mysql', `drop database ${name}`),
  }
}

/** Makes an empty place; on a server its name begins with `prefix`. */
export const places: Readonly<Record<Engine, (prefix?: string) => Promise<TestDatabase>>> = {
  sqlite: newFile,
  postgres: (prefix = 'tollgate') => newSchema(prefix),
  mysql: (prefix = 'tollgate') => newServerDatabase(prefix),
}

/** Removes every schema or database of a server whose name begins with `prefix`. */
export const removePlaces = async (engine: ServerEngine, prefix: string): Promise<void> => {
  const [kind, ending] = engine === 'mysql' ? ['database', ''] : ['schema', ' cascade']
  const database = await openDatabase({ engine, url: servers[engine].url, pool: 1 })
  const { rows } = await sql<{ name: string }>`select schema_name as name from information_schema.schemata
    where schema_name like ${`${prefix}\\_%`}`.execute(database.query)
  for (const { name } of rows) await sql.raw(`drop ${kind} ${name}${ending}`).execute(database.query)
  await database.close()
}
