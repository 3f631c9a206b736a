import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it, vi } from 'vitest'
import { describeEachAddress } from '../../test/support/db/databases.ts'
import { testLog } from '../../test/support/db/rows.ts'
import type { Database, DatabaseAddress } from './database.ts'
import { openDatabase } from './engines/open.ts'
import { awaitMigration, migrate, migrateLogs, pendingSteps } from './migrate.ts'
import { migrations } from './migrations/index.ts'

const node = promisify(execFile)

// MySQL commits each of more than a hundred changes by itself.
vi.setConfig({ testTimeout: 300_000 })

const program = (address: DatabaseAddress): string => `
  import { openDatabase } from '${new URL('./engines/open.ts', import.meta.url)}'
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
  it('is awaited by a node that leaves it to others, which logs it when no node migrates', async () => {
    const address = await place()
    await using(address, async (database) => {
      await expect(awaitMigration(database, { patienceMs: 20, pauseMs: 5 })).rejects.toThrow(/^Cannot open .*NODE_TYPE/)
      const waiting = awaitMigration(database, { patienceMs: 300_000, pauseMs: 5 })
      await inProcess(address)
      await waiting
      await database.query.selectFrom('options').selectAll().execute()
    })
  })

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

  it('sums what users used before there were sums of 28 days', async () => {
    const period = 28 * 86_400
    const used = (at: number, channel: number, quota: number) => ({
      created_at: at,
      dimensions_hash: `${channel}`,
      channel_id: channel,
      quota,
      user_id: 1,
      token_id: 2,
      token_name: 'key',
      group: 'default',
      model_name: 'm',
      count: 1,
      prompt_tokens: 3,
      completion_tokens: 4,
      failures: 0,
    })
    await using(await place(), async (database) => {
      await migrate(database)
      const days = [used(period, 1, 10), used(2 * period - 86_400, 2, 20), used(2 * period, 1, 40)]
      await database.insertMany('usage_days', days)
      const { ref } = database.query.dynamic
      await database.query.deleteFrom(untyped('migrations')).where(ref<'key'>('name'), '>=', '0008').execute()
      await migrate(database)
      const sums = database.query
        .selectFrom('usage_user_periods')
        .select(['created_at', 'quota', 'count', 'token_name'])
      expect(await sums.orderBy('created_at').execute()).toEqual([
        { created_at: period, quota: 30, count: 2, token_name: 'key' },
        { created_at: 2 * period, quota: 40, count: 1, token_name: 'key' },
      ])
    })
  })

  it('sums movements by hour, and charges from before the usage sums began', async () => {
    const hour = 3_600
    const entry = (
      at: number,
      amount: number,
      reason: 'charge' | 'topup',
      account: 'user' | 'aff' | 'token' = 'user',
    ) => ({
      movement: `${at} ${amount} ${account}`,
      account,
      account_id: 1,
      amount,
      reason,
      created_at: at,
      detail: '{}',
    })
    await using(await place(), async (database) => {
      await migrate(database)
      await database.insertMany('ledger_entries', [
        entry(hour + 1, 500, 'topup'),
        entry(hour + 2, 500, 'topup'),
        entry(hour + 2, 7, 'topup', 'aff'),
        entry(hour + 2, 9, 'topup', 'token'),
        entry(hour + 3, -10, 'charge'),
        entry(2 * hour + 1, -20, 'charge'),
        entry(2 * hour + 2, -30, 'charge'),
        entry(3 * hour, -40, 'charge'),
      ])
      const used = (at: number, quota: number) => ({
        created_at: at,
        dimensions_hash: 'h',
        user_id: 1,
        token_id: 0,
        token_name: '',
        channel_id: 0,
        quota,
        group: '',
        model_name: 'm',
        count: 1,
        prompt_tokens: 0,
        completion_tokens: 0,
        failures: 0,
      })
      // The sums began between two charges of an hour.
      await database.insertMany('usage_hours', [used(2 * hour, 30), used(3 * hour, 40)])
      const { ref } = database.query.dynamic
      await database.query.deleteFrom(untyped('migrations')).where(ref<'key'>('name'), '>=', '0016').execute()
      await migrate(database)
      const sums = database.query
        .selectFrom('ledger_hours')
        .select(['account', 'created_at', 'reason', 'count', 'amount'])
        .orderBy('account')
        .orderBy('created_at')
        .orderBy('amount')
      expect(await sums.execute()).toEqual([
        { account: 'aff', created_at: hour, reason: 'topup', count: 1, amount: 7 },
        { account: 'user', created_at: hour, reason: 'charge', count: 1, amount: -10 },
        { account: 'user', created_at: hour, reason: 'topup', count: 2, amount: 1000 },
        { account: 'user', created_at: 2 * hour, reason: 'charge', count: 1, amount: -20 },
      ])
    })
  })

  const later = async ({ query }: Database, name: string): Promise<void> => {
    const row = { name, timestamp: '2030-01-01' }
    await query
      .insertInto(untyped('migrations'))
      .values(row as never)
      .execute()
  }

  it('asks for nothing but the steps where all of them are made', async () => {
    await using(await place(), async (database) => {
      await migrate(database)
      let asked = 0
      const query = database.query.withPlugin({
        transformQuery: ({ node }) => {
          asked += 1
          return node
        },
        transformResult: async ({ result }) => result,
      })
      await migrate({ ...database, query })
      expect(asked).toBeLessThanOrEqual(3)
    })
  })

  it('lets a version work with tables to which a newer one has only added', async () => {
    await using(await place(), async (database) => {
      await migrate(database)
      await later(database, '9999-later')
      await migrate(database)
      await awaitMigration(database, { patienceMs: 20, pauseMs: 5 })
      expect(await pendingSteps(database)).toEqual([])
    })
  })

  it('makes a step that came after steps of later names, and takes one that a newer version made before them', async () => {
    await using(await place(), async (database) => {
      await migrate(database)
      const between = Object.keys(migrations).sort().at(-2)
      const { ref } = database.query.dynamic
      await database.query
        .deleteFrom(untyped('migrations'))
        .where(ref<'key'>('name'), '=', between ?? '')
        .execute()
      await later(database, '0001-between')
      expect(await pendingSteps(database)).toEqual([between])
      await migrate(database)
      expect(await pendingSteps(database)).toEqual([])
    })
  })

  it('says in a sentence that a newer version has taken something from the tables', async () => {
    await using(await place(), async (database) => {
      await migrate(database)
      await later(database, '9999-later-contract')
      const sentence = /^Cannot open the database: a newer version has changed it \(step 9999-later-contract\)\. /
      await expect(migrate(database)).rejects.toThrow(sentence)
      await expect(awaitMigration(database, { patienceMs: 20, pauseMs: 5 })).rejects.toThrow(sentence)
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
