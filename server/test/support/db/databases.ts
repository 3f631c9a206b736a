import { afterAll, describe, it, onTestFinished, TestRunner } from 'vitest'
import type { Database, DatabaseAddress, Engine } from '../../../src/db/database.ts'
import { openDatabase } from '../../../src/db/engines/open.ts'
import { chosenEngines, places, servers, type TestDatabase } from './places.ts'
import { borrowDatabase } from './spare-databases.ts'

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

interface TestedEngine {
  readonly engine: Engine
  readonly title: string
  readonly reachable: boolean
}

const titles: Readonly<Record<Engine, string>> = {
  sqlite: 'SQLite',
  postgres: servers.postgres.title,
  mysql: servers.mysql.title,
}

const tested: readonly TestedEngine[] = await Promise.all(
  chosenEngines.map(async (engine) => ({
    engine,
    title: titles[engine],
    reachable: engine === 'sqlite' || (await isReachable(engine)),
  })),
)

const describeEach = (
  name: string,
  tests: (engine: Engine) => void,
  engines: (engine: Engine) => boolean = () => true,
): void => {
  const wanted = tested.filter(({ engine }) => engines(engine))
  for (const { engine, title, reachable } of wanted)
    describe.skipIf(!reachable)(`${name} on ${title}`, () => tests(engine))
  // A file without any suite would fail.
  if (wanted.length === 0) describe(name, () => it.skip('runs on other engines than those that are chosen'))
}

type AddressTests = (place: () => Promise<DatabaseAddress>, engine: Engine) => void

const withPlaces = (engine: Engine, tests: AddressTests): void => {
  const made: TestDatabase[] = []
  afterAll(async () => {
    for (const { remove } of made) await remove()
  })
  tests(async () => {
    const database = await places[engine]()
    made.push(database)
    return database.address
  }, engine)
}

/**
 * Runs `tests` once per engine that can be reached. `place` makes an empty database to open by address; it is removed
 * when the suite is over.
 */
export const describeEachAddress = (name: string, tests: AddressTests): void =>
  describeEach(name, (engine) => withPlaces(engine, tests))

/** The same without SQLite: for what several nodes do with one database. */
export const describeEachServer = (name: string, tests: AddressTests): void =>
  describeEach(
    name,
    (engine) => withPlaces(engine, tests),
    (engine) => engine !== 'sqlite',
  )

/** False in the hooks of a suite. */
const isInTest = (): boolean => TestRunner.getCurrentTest() !== undefined

const withDatabases = (engine: Engine, tests: (open: () => Promise<Database>) => void): void => {
  const givesBack: (() => Promise<void>)[] = []
  afterAll(async () => {
    for (const giveBack of givesBack) await giveBack()
  })
  tests(async () => {
    const { database, giveBack } = await borrowDatabase(engine)
    if (isInTest()) onTestFinished(giveBack)
    else givesBack.push(giveBack)
    return database
  })
}

/**
 * Runs `tests` once per chosen engine: SQLite, and PostgreSQL and MySQL or MariaDB where a server answers. Each `open()`
 * gives a migrated database without rows, closed and taken back when the test that opened it is over, or the suite.
 */
export const describeEachEngine = (name: string, tests: (open: () => Promise<Database>) => void): void =>
  describeEach(name, (engine) => withDatabases(engine, tests))

/** Like `describeEachEngine`, on SQLite only: for suites that need a database but say nothing about its engine. */
export const describeWithDatabase = (name: string, tests: (open: () => Promise<Database>) => void): void => {
  describe(name, () => withDatabases('sqlite', tests))
}
