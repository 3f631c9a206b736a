import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeEachEngine } from '../../../test/support/db/databases.ts'
import { aRecord } from '../../../test/support/journal/records.ts'
import { newJournalDirectory, newUser, openTestLedger, type TestLedger } from '../../../test/support/ledger/ledger.ts'
import { redisHere, type TestRedis, testRedis } from '../../../test/support/lib/redis.ts'
import type { Database } from '../../db/database.ts'
import type { HoldAnswer } from '../../relay/ports.ts'
import { openRedisAccounts } from '../holds/holds-redis.ts'
import { openEpoch } from './stored-epoch.ts'

// A file without a test fails.
if (!redisHere)
  it.skip('There is no redis-server here: restored databases beside a Redis are not tested', () => undefined)

if (redisHere) {
  describeEachEngine('a database that was restored beside a living Redis', (openDatabase) => {
    let redis: TestRedis
    let database: Database
    const ends: (() => Promise<void>)[] = []

    /** `beatMs` is how often a node looks by itself; never, where only what it is asked may make it look. */
    const openNode = async (nodeName: string, beatMs = 50): Promise<TestLedger> => {
      const place = await newJournalDirectory()
      const shared = { url: redis.url, nodeName, epoch: await openEpoch(database), warn: () => undefined }
      const node = await openTestLedger(database, place.directory, {
        openAccounts: (parts) => openRedisAccounts({ ...parts, ...shared, beatMs }),
      })
      ends.push(place.remove)
      return node
    }

    const tables = ['users', 'ledger_entries', 'options'] as const

    /** A copy of the money and of the epoch; restoring it puts every row back as it was. */
    const backUp = async (): Promise<() => Promise<void>> => {
      const rows = new Map(
        await Promise.all(
          tables.map(async (table) => [table, await database.query.selectFrom(table).selectAll().execute()] as const),
        ),
      )
      return async () => {
        await database.transaction(async (trx) => {
          for (const table of tables) {
            await trx.deleteFrom(table).execute()
            for (const row of rows.get(table) ?? []) await trx.insertInto(table).values(row).execute()
          }
        })
        await resetIds()
      }
    }

    /** A copy that is restored brings back the next id, too. */
    const resetIds = async (): Promise<void> => {
      const { engine, query } = database
      if (engine === 'postgres') {
        await sql`select setval(pg_get_serial_sequence('ledger_entries', 'id'), (select max(id) from ledger_entries))`.execute(
          query,
        )
      } else if (engine === 'mysql') {
        await sql`alter table ledger_entries auto_increment = 1`.execute(query)
      } else {
        await sql`update sqlite_sequence set seq = (select max(id) from ledger_entries) where name = 'ledger_entries'`.execute(
          query,
        )
      }
    }

    const most = async (node: TestLedger, userId: number): Promise<number> => {
      const answer: HoldAnswer = await node.ledger.holds.hold({ userId, tokenId: 0, amount: 1_000_000_000 })
      if (answer.kind !== 'refused') throw new Error('nobody has that much')
      return answer.remain
    }

    /** Far more than the copy will have, and Redis knows it with a later version. */
    const grow = async (node: TestLedger, userId: number): Promise<void> => {
      for (let step = 0; step < 5; step += 1) await node.ledger.movements.adjust({ userId, amount: 100_000 })
      expect(await most(node, userId)).toBe(500_989)
    }

    beforeAll(async () => {
      redis = await testRedis()
      await redis.start()
      ends.push(redis.stop)
    })
    afterAll(async () => {
      for (const end of ends.reverse()) await end()
    })

    it('counts with its own balances after a start', async () => {
      database = await openDatabase()
      const before = await openNode('start')
      const userId = await newUser(database, before.ledger, 989)
      const restore = await backUp()
      await grow(before, userId)
      await before.crash()
      await restore()
      const after = await openNode('start')
      expect(await most(after, userId)).toBe(989)
      await after.crash()
    })

    it('counts with its own balances where the ledger went on meanwhile, past what Redis knows', async () => {
      database = await openDatabase()
      const before = await openNode('ahead')
      const userId = await newUser(database, before.ledger, 989)
      const restore = await backUp()
      await grow(before, userId)
      await before.crash()
      await restore()
      const alone = await openTestLedger(database, (await newJournalDirectory()).directory)
      const other = await newUser(database, alone.ledger, 5)
      for (let step = 0; step < 20; step += 1) await alone.ledger.movements.adjust({ userId: other, amount: 1 })
      await alone.crash()
      const after = await openNode('ahead')
      expect(await most(after, userId)).toBe(989)
      await after.crash()
    })

    it('is noticed by all nodes that run', async () => {
      database = await openDatabase()
      const north = await openNode('north')
      const south = await openNode('south')
      const userId = await newUser(database, north.ledger, 989)
      const restore = await backUp()
      await grow(north, userId)
      expect(await most(south, userId)).toBe(500_989)
      await restore()
      await expect.poll(() => most(north, userId)).toBe(989)
      await expect.poll(() => most(south, userId)).toBe(989)
      await north.crash()
      await south.crash()
    })

    it('is noticed with the first charge by nodes that have not looked, and what was held still counts', async () => {
      database = await openDatabase()
      const never = 1_000_000
      const north = await openNode('quiet-north', never)
      const south = await openNode('quiet-south', never)
      const userId = await newUser(database, north.ledger, 989)
      const payer = await newUser(database, north.ledger, 100)
      const restore = await backUp()
      await grow(north, userId)
      const kept = await south.ledger.holds.hold({ userId, tokenId: 0, amount: 500 })
      await restore()
      const paying = await north.ledger.holds.hold({ userId: payer, tokenId: 0, amount: 10 })
      if (paying.kind !== 'held') throw new Error('refused')
      await north.ledger.recorder.charge(
        aRecord('after', { userId: payer, tokenId: 0, channelId: 0, quota: 10 }),
        paying.hold,
      )
      await north.ledger.flush()
      await expect.poll(() => most(south, userId)).toBe(489)
      await expect.poll(() => most(north, userId)).toBe(489)
      if (kept.kind === 'held') kept.hold.release()
      await expect.poll(() => most(north, userId)).toBe(989)
      await north.crash()
      await south.crash()
    })

    it('keeps its epoch while nothing goes back', async () => {
      database = await openDatabase()
      const epoch = await openEpoch(database)
      const north = await openNode('steady-north', 5)
      const south = await openNode('steady-south', 5)
      const userId = await newUser(database, north.ledger, 1_000)
      for (let step = 0; step < 20; step += 1) {
        await Promise.all([north, south].map((node) => node.ledger.movements.adjust({ userId, amount: 1 })))
      }
      await north.crash()
      await south.crash()
      const again = await openNode('steady-north')
      await again.crash()
      expect(await epoch.read()).toBe(epoch.name)
    })

    it('gets one new epoch, however many nodes renew it', async () => {
      database = await openDatabase()
      const epochs = await Promise.all([1, 2, 3].map(() => openEpoch(database)))
      expect(new Set(epochs.map(({ name }) => name)).size).toBe(1)
      const [first] = epochs
      const names = await Promise.all(epochs.map((epoch) => epoch.renew(first?.name ?? '')))
      expect(new Set(names).size).toBe(1)
      expect(names[0]).not.toBe(first?.name)
    })
  })
}
