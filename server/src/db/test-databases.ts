import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, describe } from 'vitest'
import type { Database, DatabaseAddress, Engine } from './database.ts'
import { migrate } from './migrate.ts'
import { openDatabase } from './open.ts'

/** A place for one database, empty, and how to remove it. */
export interface TestDatabase {
  readonly address: DatabaseAddress
  remove(): Promise<void>
}

const connections = 5

const servers = {
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

const once = async (engine: 'postgres' | 'mysql', statement: string): Promise<void> => {
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

const places: Readonly<Record<Engine, () => Promise<TestDatabase>>> = {
  sqlite: newFile,
  postgres: newSchema,
  mysql: newServerDatabase,
}

const isReachable = async (engine: 'postgres' | 'mysql'): Promise<boolean> => {
  const { title, url } = servers[engine]
  try {
    const database = await openDatabase({ engine, url, pool: 1 })
    await database.close()
    return true
  } catch (error) {
    if (process.env.CI === 'true') throw new Error(`${title} is not reachable, and CI must test it`, { cause: error })
    console.log(`${title} is not reachable: its tests are skipped`)
    return false
  }
}

const tested: readonly { readonly engine: Engine; readonly title: string; readonly reachable: boolean }[] = [
  { engine: 'sqlite', title: 'SQLite', reachable: true },
  { engine: 'postgres', title: servers.postgres.title, reachable: await isReachable('postgres') },
  { engine: 'mysql', title: servers.mysql.title, reachable: await isReachable('mysql') },
]

/**
 * Runs `tests` once per engine that can be reached. `place` makes an empty database to open by address; it is removed
 * when the suite is over.
 */
export const describeEachAddress = (
  name: string,
  tests: (place: () => Promise<DatabaseAddress>, engine: Engine) => void,
): void => {
  for (const { engine, title, reachable } of tested) {
    describe.skipIf(!reachable)(`${name} on ${title}`, () => {
      const made: TestDatabase[] = []
      afterAll(async () => {
        for (const { remove } of made) await remove()
      })
      const place = async (): Promise<DatabaseAddress> => {
        const database = await places[engine]()
        made.push(database)
        return database.address
      }
      tests(place, engine)
    })
  }
}

/**
 * Runs `tests` once per engine: SQLite always, PostgreSQL and MySQL or MariaDB where a server answers. Each `open()`
 * gives a migrated database of its own, closed and removed when the suite is over.
 */
export const describeEachEngine = (name: string, tests: (open: () => Promise<Database>) => void): void =>
  describeEachAddress(name, (place) => {
    const opened: Database[] = []
    afterAll(async () => {
      for (const database of opened) await database.close()
    })
    tests(async () => {
      const database = await openDatabase(await place())
      opened.push(database)
      await migrate(database)
      return database
    })
  })
