import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import type { Database, DatabaseAddress } from './database.ts'
import { migrate, migrateLogs } from './migrate.ts'
import { migrations } from './migrations/index.ts'
import { openDatabase } from './open.ts'
import { describeEachAddress } from './test-databases.ts'
import { testLog } from './test-rows.ts'

const node = promisify(execFile)

const program = (address: DatabaseAddress): string => `
  import { openDatabase } from '${new URL('./open.ts', import.meta.url)}'
  import { migrate } from '${new URL('./migrate.ts', import.meta.url)}'
  const database = await openDatabase(${JSON.stringify(address)})
  await migrate(database)
  await database.close()`

const inProcess = (address: DatabaseAddress): Promise<unknown> =>
  node(process.execPath, ['--input-type=module', '--eval', program(address)])

const using = async (address: DatabaseAddress, work: (database: Database) => Promise<void>): Promise<void> => {
  const database = await openDatabase(address)
  try {
    await work(database)
  } finally {
    await database.close()
  }
}

/** A table that Kysely's types do not know; its columns do not matter here. */
const untyped = (name: string): 'options' => name as 'options'

describeEachAddress('migrating', (place, engine) => {
  it('succeeds when several processes do it at once', async () => {
    const address = await place()
    await Promise.all([inProcess(address), inProcess(address), inProcess(address)])
    await using(address, async (database) => {
      await migrate(database)
      await database.insertMany('logs', [testLog('r')])
      expect(await database.query.selectFrom(untyped('migrations')).selectAll().execute()).toHaveLength(
        Object.keys(migrations).length,
      )
    })
  })

  it('gives a log database only its logs, also beside the main tables', async () => {
    await using(await place(), async (database) => {
      await migrateLogs(database)
      await migrateLogs(database)
      await database.insertMany('logs', [testLog('alone')])
      await expect(database.query.selectFrom('users').selectAll().execute()).rejects.toThrow()
      await migrate(database)
      await database.insertMany('logs', [testLog('r')])
    })
  })

  it('takes up again what was left half done', async () => {
    await using(await place(), async (database) => {
      await migrate(database)
      await database.query.schema.dropTable('audit').execute()
      const index = database.query.schema.dropIndex('logs_request_id')
      await (engine === 'mysql' ? index.on('logs') : index).execute()
      await database.query.deleteFrom(untyped('migrations')).execute()
      await migrate(database)
      await database.insertMany('logs', [testLog('r')])
      await expect(database.insertMany('logs', [testLog('r')])).rejects.toThrow()
      expect(await database.query.selectFrom('audit').selectAll().execute()).toEqual([])
    })
  })
})
