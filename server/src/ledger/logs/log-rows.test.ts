import { logType } from '@tollgate/contract'
import type { Kysely } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describeEachEngine } from '../../../test/support/db/databases.ts'
import { aJournalRecord, aRecord } from '../../../test/support/journal/records.ts'
import {
  newJournalDirectory,
  newToken,
  newUser,
  openTestLedger,
  type TestLedger,
} from '../../../test/support/ledger/ledger.ts'
import type { Database } from '../../db/database.ts'
import { openDatabase as openAddress } from '../../db/engines/open.ts'
import { migrateLogs } from '../../db/migrate.ts'
import { logGaps } from '../../db/migrations/small-steps.ts'
import { writeLogs } from '../apply/log-rows.ts'
import { verifyLedger } from '../verify/verify.ts'

const at = 1_750_000_000_000

/** One row per request: a charge takes the place of a failure, whichever came first, however often it is repeated. */
describeEachEngine('rows of the log', (openDatabase) => {
  let main: Database
  let apart: Database
  beforeAll(async () => {
    main = await openDatabase()
    apart = await openAddress({ engine: 'sqlite', url: ':memory:' })
    await migrateLogs(apart)
  })
  afterAll(() => apart.close())

  describe.each(['together', 'apart'])('%s with the main tables', (place) => {
    const places = () => ({ database: main, logDatabase: place === 'apart' ? apart : main })
    const rowOf = (id: string) =>
      places().logDatabase.query.selectFrom('logs').selectAll().where('request_id', '=', id).execute()
    const failuresOf = async (
      model: string,
      table: 'usage_hours' | 'usage_days' | 'usage_site_days' = 'usage_hours',
    ) => {
      const { failures } = await main.query
        .selectFrom(table)
        .select(({ fn }) => fn.sum<number | string>('failures').as('failures'))
        .where('model_name', '=', model)
        .executeTakeFirstOrThrow()
      return Number(failures ?? 0)
    }
    it('name the call as its provider does, by the last attempt that has an id', async () => {
      const id = `${place}-provider-id`
      const attempt = { channel: 3, started_ms: 0, duration_ms: 1, status: 200, error: 'sent "request_id":"text"' }
      const attempts = [{ ...attempt, request_id: 'gen-1' }, { ...attempt, request_id: 'gen-2' }, attempt]
      const other = { path: '/v1?"request_id":"gen-3"', admin_info: { attempts } }
      await writeLogs(places(), [aJournalRecord(id, { other }), aJournalRecord(`${id}-none`, { other: {} })])
      expect(await rowOf(id)).toMatchObject([{ provider_request_id: 'gen-2' }])
      expect(await rowOf(`${id}-none`)).toMatchObject([{ provider_request_id: null }])
    })

    const pair = (name: string) => {
      const id = `${place}-${name}`
      const common = { at, model: id }
      return {
        id,
        charge: aJournalRecord(id, { ...common, quota: 7 }),
        failure: aJournalRecord(id, { ...common, kind: 'error', quota: 0, content: 'failed', receipt: undefined }),
      }
    }
    const expectCharged = async (id: string): Promise<void> => {
      expect(await rowOf(id)).toMatchObject([{ type: logType.consume, quota: 7, content: '' }])
      for (const table of ['usage_hours', 'usage_days', 'usage_site_days'] as const)
        expect(await failuresOf(id, table)).toBe(0)
    }

    it('a charge after a failure replaces it, and the failure is not counted any more', async () => {
      const { id, charge, failure } = pair('after')
      await writeLogs(places(), [failure])
      expect(await rowOf(id)).toMatchObject([{ type: logType.error }])
      expect(await failuresOf(id)).toBe(1)
      await writeLogs(places(), [charge])
      await expectCharged(id)
    })

    it('a failure after a charge changes nothing', async () => {
      const { id, charge, failure } = pair('before')
      await writeLogs(places(), [charge])
      await writeLogs(places(), [failure])
      await expectCharged(id)
    })

    it.each(['failure first', 'charge first'])('both in one batch, %s', async (order) => {
      const { id, charge, failure } = pair(order)
      await writeLogs(places(), order === 'failure first' ? [failure, charge] : [charge, failure])
      await expectCharged(id)
    })

    it('repeated in any order', async () => {
      const { id, charge, failure } = pair('repeated')
      for (const records of [[failure], [charge], [charge, failure], [failure, charge, charge], [charge]])
        await writeLogs(places(), records)
      await expectCharged(id)
    })

    it('of many records all are written, the known among them as they were', async () => {
      const succeeded = pair('many-known')
      const failed = pair('many-failed')
      await writeLogs(places(), [succeeded.charge, failed.failure])
      const [before] = await rowOf(succeeded.id)
      const others = Array.from({ length: 1200 }, (_, index) => aJournalRecord(`${place}-many-${index}`, { at }))
      await writeLogs(places(), [...others.slice(0, 600), failed.charge, succeeded.charge, ...others.slice(600)])
      expect(await rowOf(succeeded.id)).toEqual([before])
      await expectCharged(failed.id)
      const { rows } = await places()
        .logDatabase.query.selectFrom('logs')
        .select(({ fn }) => fn.countAll().as('rows'))
        .where('request_id', 'like', `${place}-many-%`)
        .executeTakeFirstOrThrow()
      expect(Number(rows)).toBe(1202)
    })
  })
})

describeEachEngine('verification of the log', (openDatabase) => {
  let database: Database
  let open: TestLedger
  let userId: number
  let tokenId: number
  let remove: () => Promise<void>
  const old = 1_600_000_000_000

  const charge = async (id: string, quota: number, more: { at?: number; tokenId?: number } = {}): Promise<void> => {
    await open.ledger.recorder.charge(aRecord(id, { userId, tokenId, quota, channelId: 0, at, ...more }))
    await open.ledger.flush()
  }
  const found = async () =>
    (await verifyLedger(database, { patienceMs: 0 })).differences.map(
      ({ account, what, stored, computed, movement }) => [...[account, what, stored, computed, movement]],
    )
  const logs = () => database.query

  beforeAll(async () => {
    const journal = await newJournalDirectory()
    remove = journal.remove
    database = await openDatabase()
    open = await openTestLedger(database, journal.directory, {
      options: { logConsume: () => isLogged, logErrors: () => true, hourly: () => true },
    })
    userId = await newUser(database, open.ledger, 10_000)
    tokenId = await newToken(database, open.ledger, { userId, remain: 5000 })
    await charge('first', 10, { at: old })
    await charge('second', 20)
    await charge('keyless', 5, { tokenId: 0 })
  })
  let isLogged = true
  afterAll(async () => {
    await open.crash()
    await remove()
  })

  it('finds nothing where each charge has its row', async () => {
    expect(await verifyLedger(database, { patienceMs: 0 })).toMatchObject({ charges: 3, logRows: 3, differences: [] })
  })

  it('finds a charge without its row', async () => {
    const [row] = await logs().selectFrom('logs').selectAll().where('request_id', '=', 'second').execute()
    await logs().deleteFrom('logs').where('request_id', '=', 'second').execute()
    expect(await found()).toEqual([['log', 'row', 'missing', 20, 'second']])
    if (row !== undefined) await logs().insertInto('logs').values(row).execute()
    expect(await found()).toEqual([])
  })

  it.each([
    ['type', { type: logType.error }, { type: logType.consume }, [['log', 'row', 'of type 5', 20, 'second']]],
    ['quota', { quota: 21 }, { quota: 20 }, [['log', 'quota', 21, 20, 'second']]],
  ])('finds a row of another %s', async (_, change, back, differences) => {
    const row = logs().updateTable('logs').where('request_id', '=', 'second')
    await row.set(change).execute()
    expect(await found()).toEqual(differences)
    await row.set(back).execute()
    expect(await found()).toEqual([])
  })

  it('finds a row of another user or token', async () => {
    const row = logs().updateTable('logs').where('request_id', '=', 'second')
    await row.set({ user_id: userId + 1, token_id: 0 }).execute()
    expect(await found()).toEqual([
      ['log', 'user', userId + 1, userId, 'second'],
      ['log', 'token', 0, tokenId, 'second'],
    ])
    await row.set({ user_id: userId, token_id: tokenId }).execute()
  })

  it('finds a row without its charge, but knows the tests of channels', async () => {
    const [row] = await logs().selectFrom('logs').selectAll().where('request_id', '=', 'second').execute()
    if (row === undefined) throw new Error('no row')
    const { id: _, ...cells } = row
    await logs()
      .insertInto('logs')
      .values({ ...cells, request_id: 'invented' })
      .execute()
    const test = { ...cells, request_id: 'channel-test', token_id: 0, token_name: '模型测试' }
    await logs().insertInto('logs').values(test).execute()
    expect(await found()).toEqual([['log', 'charge', 20, 'missing', 'invented']])
    await logs().deleteFrom('logs').where('request_id', 'in', ['invented', 'channel-test']).execute()
  })

  it('misses no rows of times when charges were not logged', async () => {
    isLogged = false
    await charge('unlogged', 1, { at: at + 7_200_000 })
    isLogged = true
    expect(await found()).toEqual([])
    await charge('logged again', 1, { at: at + 14_400_000 })
    await logs().deleteFrom('logs').where('request_id', '=', 'logged again').execute()
    expect(await found()).toEqual([['log', 'row', 'missing', 1, 'logged again']])
    await logs().deleteFrom('log_gaps').execute()
    expect((await found()).map(([, , , , id]) => id)).toEqual(['unlogged', 'logged again'])
    const gap = { from_time: (at + 7_200_000) / 1000, until_time: (at + 14_400_000) / 1000 + 1 }
    await logs().insertInto('log_gaps').values(gap).execute()
    expect(await found()).toEqual([])
  })

  it('knows that nothing was logged before an upgrade where charges are not logged', async () => {
    const { query } = database
    const gaps = () => query.selectFrom('log_gaps').selectAll().execute()
    const again = async (value: string) => {
      await query.schema.dropTable('log_gaps').execute()
      await query.deleteFrom('options').where('key', '=', 'LogConsumeEnabled').execute()
      if (value !== '') await query.insertInto('options').values({ key: 'LogConsumeEnabled', value }).execute()
      await logGaps.up(query as unknown as Kysely<unknown>)
    }
    const before = await gaps()
    for (const value of ['', 'true']) {
      await again(value)
      expect(await gaps()).toEqual([])
    }
    await again('false')
    const [gap] = await gaps()
    expect(gap).toMatchObject({ from_time: 0 })
    expect(gap?.until_time).toBeGreaterThan(1_700_000_000)
    await query.deleteFrom('log_gaps').execute()
    await database.insertMany(
      'log_gaps',
      before.map((row) => ({ ...row })),
    )
  })

  it('misses no rows of purged times, or from before the oldest row', async () => {
    await logs().deleteFrom('logs').where('request_id', '=', 'first').execute()
    expect(await found()).toEqual([])
    const failure = aRecord('an old failure', {
      kind: 'error',
      quota: 0,
      at: old - 1000,
      receipt: undefined,
      userId,
      tokenId,
    })
    await open.ledger.recorder.fail(failure)
    await open.ledger.flush()
    expect(await found()).toEqual([['log', 'row', 'missing', 10, 'first']])
    const purge = { name: 'p', type: logType.consume, before: old / 1000 + 1, total: 1, created_time: 1 }
    await logs().insertInto('log_purges').values(purge).execute()
    expect(await found()).toEqual([])
    await logs().updateTable('log_purges').set({ type: logType.error }).execute()
    expect(await found()).toEqual([['log', 'row', 'missing', 10, 'first']])
  })

  it('waits for rows that come after the money', async () => {
    await logs().updateTable('log_purges').set({ type: logType.consume }).execute()
    await charge('late', 3)
    const [row] = await logs().selectFrom('logs').selectAll().where('request_id', '=', 'late').execute()
    if (row === undefined) throw new Error('no row')
    await logs().deleteFrom('logs').where('request_id', '=', 'late').execute()
    const verifying = verifyLedger(database, { patienceMs: 60_000 })
    await logs().insertInto('logs').values(row).execute()
    expect((await verifying).differences).toEqual([])
  })
})
