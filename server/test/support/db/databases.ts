import { afterAll, describe, inject } from 'vitest'
import type { Database, DatabaseAddress, Engine } from '../../../src/db/database.ts'
import { openDatabase } from '../../../src/db/engines/open.ts'
import { places, servers, type TestDatabase } from './places.ts'
import { copyTemplate } from './templates.ts'

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
      const address = await place()
      const template = inject('templates')[address.engine]
      if (template === undefined) throw new Error(`no template for ${address.engine}`)
      await copyTemplate(template, address)
      const database = await openDatabase(address)
      opened.push(database)
      return database
    })
  })
