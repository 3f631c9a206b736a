import { afterAll, afterEach, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest'
import { describeEachEngine } from '../../test/support/db/databases.ts'
import { aBegin, aRecord } from '../../test/support/journal/records.ts'
import { newJournalDirectory, newUser, openTestLedger } from '../../test/support/ledger/ledger.ts'
import { redisHere, type TestRedis, testRedis } from '../../test/support/lib/redis.ts'
import { noUsage } from '../billing/usage.ts'
import type { Database } from '../db/database.ts'
import { type Journal, openJournal } from '../journal/journal.ts'
import { openEpoch } from './epoch/stored-epoch.ts'
import { openRedisAccounts } from './holds/holds-redis.ts'
import { type Ledger, type LedgerParts, openLedger } from './ledger.ts'
import { verifyLedger } from './verify/verify.ts'

const upstreamPrice = { ...aBegin('').price, version: 'list 1', groupRatio: { digits: 5n, scale: 1 } }

/** A database that takes nothing. */
const away = (database: Database): Database => ({
  ...database,
  transaction: () => Promise.reject(new Error('the database is away')),
})

type OpenAccounts = NonNullable<LedgerParts['openAccounts']>

const tests = (
  openDatabase: () => Promise<Database>,
  kind: 'memory' | 'redis',
  accountsOf: (database: Database) => Promise<OpenAccounts | undefined>,
): void => {
  let database: Database
  let directory: Awaited<ReturnType<typeof newJournalDirectory>>
  let userId: number
  let journal: Journal
  let ids = 0

  beforeAll(async () => {
    database = await openDatabase()
  })
  beforeEach(async () => {
    directory = await newJournalDirectory()
    const { ledger, crash } = await openTestLedger(database, directory.directory)
    userId = await newUser(database, ledger, 1000)
    await crash()
  })
  afterEach(() => directory.remove())

  const record = (quota: number) => {
    ids += 1
    return aRecord(`left-${kind}-${ids}`, {
      userId,
      tokenId: 0,
      channelId: 0,
      quota,
    })
  }

  const openOn = async (on: Database, delayMs = 2): Promise<Ledger> => {
    journal = await openJournal({ directory: directory.directory, segmentBytes: 2000 })
    const openAccounts = await accountsOf(on)
    return openLedger({
      database: on,
      journal,
      options: { logConsume: () => true, logErrors: () => true, hourly: () => true },
      delayMs,
      retryMs: 1,
      ...(openAccounts && { openAccounts }),
    })
  }
  const close = async (ledger: Ledger): Promise<void> => {
    await ledger.close()
    await journal.close()
  }
  const leave = async (quotas: readonly number[], interrupted = 0): Promise<void> => {
    const ledger = await openOn(away(database), 60_000)
    for (const quota of quotas) await ledger.recorder.charge(record(quota))
    if (interrupted > 0) {
      ids += 1
      const begin = aBegin(`cut-${ids}`, { userId, tokenId: 0, channelId: 0, upstreamPrice })
      ledger.recorder.begin(begin)
      ledger.recorder.progress(begin.id, { ...noUsage, input: interrupted })
      await new Promise(setImmediate)
    }
    await close(ledger)
  }
  const balance = async (): Promise<number> =>
    (await database.query.selectFrom('users').select('quota').where('id', '=', userId).executeTakeFirstOrThrow()).quota

  /** Redis forgets what the earlier run had pending when that has shown no life for a moment. */
  const mostToHoldIs = (ledger: Ledger, most: number): Promise<void> =>
    expect
      .poll(() => ledger.holds.hold({ userId, tokenId: 0, amount: most + 1 }))
      .toMatchObject({ kind: 'refused', remain: most })

  it('refuses a call whose balance it cannot read with a 503', async () => {
    let isAway = false
    const ledger = await openOn({
      ...database,
      get query() {
        if (isAway) throw new Error('the database is away')
        return database.query
      },
    })
    isAway = true
    await expect((async () => ledger.holds.hold({ userId, tokenId: 0, amount: 1 }))()).rejects.toMatchObject({
      code: 'database_unreachable',
    })
    isAway = false
    await close(ledger)
  })

  it('is pending before any of it is in the database, so nothing is spent twice', async () => {
    await leave([300, 200, 100])
    const ledger = await openOn(database, 60_000)
    onTestFinished(() => close(ledger))
    expect(await balance()).toBe(1000)
    expect(ledger.accepting).toBe(true)
    await mostToHoldIs(ledger, 400)
    const held = await ledger.holds.hold({ userId, tokenId: 0, amount: 400 })
    expect(held.kind).toBe('held')
    await ledger.flush()
    expect(await balance()).toBe(400)
    expect(await ledger.holds.hold({ userId, tokenId: 0, amount: 1 })).toMatchObject({ kind: 'refused', remain: 0 })
    if (held.kind === 'held') held.hold.release()
    expect(await ledger.holds.hold({ userId, tokenId: 0, amount: 400 })).toMatchObject({ kind: 'held' })
    expect((await verifyLedger(database)).differences).toEqual([])
  })

  it('holds a stream that was cut short at what it had used', async () => {
    await leave([], 4000)
    const ledger = await openOn(database, 60_000)
    onTestFinished(() => close(ledger))
    await mostToHoldIs(ledger, 700)
    await ledger.flush()
    expect(await balance()).toBe(700)
    const hours = database.query.selectFrom('usage_hours').select(['quota', 'cost', 'costed_count'])
    expect(await hours.where('user_id', '=', userId).execute()).toEqual([{ quota: 300, cost: 150, costed_count: 1 }])
    const logs = database.query.selectFrom('logs').select('other').where('user_id', '=', userId)
    const { other } = await logs.executeTakeFirstOrThrow()
    expect(JSON.parse(other)).toMatchObject({ admin_info: { cost: { quota: 150, version: 'list 1', factor: '0.5' } } })
  })

  it('goes on at the next start where this one ends before it is done', async () => {
    await leave([10, 20, 30, 40], 4000)
    for (let starts = 0; starts < 3; starts += 1) {
      const cut = await openOn(away(database))
      await cut.recorder.charge(record(1))
      await close(cut)
    }
    const ledger = await openOn(database)
    onTestFinished(() => close(ledger))
    await ledger.flush()
    expect(await balance()).toBe(1000 - 100 - 300 - 3)
    expect((await verifyLedger(database)).differences).toEqual([])
  })
}

describeEachEngine('what an earlier run left', (openDatabase) => tests(openDatabase, 'memory', async () => undefined))

if (redisHere) {
  describeEachEngine('what an earlier run left, with Redis', (openDatabase) => {
    let redis: TestRedis
    beforeAll(async () => {
      redis = await testRedis()
      await redis.start()
    })
    afterAll(() => redis?.stop())
    tests(openDatabase, 'redis', async (database) => {
      const epoch = await openEpoch(database)
      return (parts) =>
        openRedisAccounts({
          ...parts,
          epoch,
          url: redis.url,
          nodeName: 'north',
          warn: () => undefined,
          graceMs: 400,
          beatMs: 50,
        })
    })
  })
}
