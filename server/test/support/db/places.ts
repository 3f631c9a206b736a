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

const freshName = (): string => `tollgate_${randomBytes(8).toString('hex')}`

/** Runs a statement on a connection of its own. */
export const once = async (engine: 'postgres' | 'mysql', statement: string): Promise<void> => {
  const database = await openDatabase({ engine, url: servers[engine].url, pool: 1 })
  await sql.raw(statement).execute(database.query)
  await database.close()
}

const newFile = async (): Promise<TestDatabase> => {
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-'))
  return {
    address: { engine: 'sqlite', url: join(folder, 'data', 'test.db') },
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

const newSchema = async (): Promise<TestDatabase> => {
  const schema = freshName()
  await once('postgres', `create schema ${schema}`)
  const url = new URL(servers.postgres.url)
  url.searchParams.set('options', `-c search_path=${schema}`)
  return {
    address: { engine: 'postgres', url: url.href, pool: connections },
    remove: () => once('postgres', `drop schema ${schema} cascade`),
  }
}

const newServerDatabase = async (): Promise<TestDatabase> => {
  const name = freshName()
  await once('mysql', `create database ${name} character set utf8mb4 collate utf8mb4_bin`)
  const url = new URL(servers.mysql.url)
  url.pathname = `/${name}`
  return {
    address: { engine: 'mysql', url: url.href, pool: connections },
    remove: () => once('mysql', `drop database ${name}`),
  }
}

/** Makes an empty place. */
export const places: Readonly<Record<Engine, () => Promise<TestDatabase>>> = {
  sqlite: newFile,
  postgres: newSchema,
  mysql: newServerDatabase,
}
