import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describeEachEngine } from '../../../test/support/db/databases.ts'
import { aRecord } from '../../../test/support/journal/records.ts'
import {
  newJournalDirectory,
  newToken,
  newUser,
  openTestLedger,
  type TestLedger,
} from '../../../test/support/ledger/ledger.ts'
import type { Database } from '../../db/database.ts'
import { verifyLedger } from '../../ledger/verify/verify.ts'
import { openStorageRefunds } from './storage-refunds.ts'

describeEachEngine('what was paid to keep a content that was deleted', (open) => {
  let database: Database
  let books: Awaited<ReturnType<typeof newJournalDirectory>>
  let opened: TestLedger
  let userId = 0
  let tokenId = 0
  let now = 1_900_000_000_000

  beforeAll(async () => {
    database = await open()
    books = await newJournalDirectory()
    opened = await openTestLedger(database, books.directory)
    userId = await newUser(database, opened.ledger, 10_000)
    tokenId = await newToken(database, opened.ledger, { userId, remain: 5000 })
  })
  afterAll(async () => {
    await opened.crash()
    await books.remove()
  })

  const refunds = (warned: string[] = [], on: Database = database) =>
    openStorageRefunds({
      database: on,
      logDatabase: on,
      movements: opened.ledger.movements,
      flush: opened.ledger.flush,
      unit: () => 0,
      tokenChanged: () => {},
      clock: () => now,
      warn: (event) => void warned.push(event),
    })
  const refundOf = (requestId: string, quota: number) => ({
    channelId: 0,
    name: 'cachedContents/a',
    requestId,
    quota,
    caller: { userId },
  })
  const charge = (requestId: string, quota: number) =>
    opened.ledger.recorder.charge(aRecord(requestId, { userId, tokenId, channelId: 0, quota }))
  const balances = async () => {
    const user = await database.query
      .selectFrom('users')
      .select(['quota', 'used_quota'])
      .where('id', '=', userId)
      .execute()
    const token = await database.query.selectFrom('tokens').select('remain_quota').where('id', '=', tokenId).execute()
    return { ...user[0], ...token[0] }
  }
  const rows = () => database.query.selectFrom('storage_refunds').selectAll().execute()

  it('goes back once, to user and key, and stands in the log', async () => {
    // On its way to the database when it is asked for.
    await charge('kept', 1000)
    const store = refunds()
    await store.giveBack(refundOf('kept', 700))
    await expect.poll(balances).toEqual({ quota: 9700, used_quota: 300, remain_quota: 4700 })
    await store.giveBack(refundOf('kept', 700))
    await store.giveBack(refundOf('kept', 100_000))
    await store.close()
    expect(await balances()).toEqual({ quota: 9700, used_quota: 300, remain_quota: 4700 })
    const logs = await database.query.selectFrom('logs').select(['content', 'quota']).where('type', '=', 4).execute()
    expect(logs).toEqual([{ content: '缓存内容 cachedContents/a 提前删除，退还存储费用 700 点额度', quota: 700 }])
    expect((await verifyLedger(database)).differences).toEqual([])
    expect(await rows()).toEqual([])
  })

  it('is never more than was charged', async () => {
    await charge('dear', 300)
    const store = refunds()
    await store.giveBack(refundOf('dear', 100_000))
    await expect.poll(rows).toEqual([])
    await store.close()
    expect(await balances()).toEqual({ quota: 9700, used_quota: 300, remain_quota: 4700 })
  })

  it('is tried until the charge is in the ledger, also by the process after a crash', async () => {
    const warned: string[] = []
    const first = refunds(warned)
    await first.giveBack(refundOf('late', 50))
    await expect.poll(() => first.list(10)).toMatchObject({ total: 1, refunds: [{ request_id: 'late', attempts: 1 }] })
    await first.look()
    for (const seconds of [5, 30, 300]) {
      now += seconds * 1000
      await first.look()
    }
    expect(warned).toEqual(['storage_not_refunded', 'storage_not_refunded'])
    await expect(first.retry('late')).rejects.toMatchObject({ code: 'refund_without_charge' })
    await first.close()
    await charge('late', 80)
    const second = refunds()
    await second.look()
    expect(await rows()).toHaveLength(1)
    now += 3_600_000
    await second.look()
    expect(await rows()).toEqual([])
    expect(await balances()).toEqual({ quota: 9670, used_quota: 330, remain_quota: 4670 })
    await second.close()
  })

  it('goes back once when two nodes look at the same time', async () => {
    await charge('both', 100)
    const nodes = [refunds(), refunds()]
    await database.insertMany('storage_refunds', [
      {
        request_id: 'both',
        user_id: userId,
        channel_id: 0,
        content_name: 'cachedContents/b',
        quota: 100,
        created_time: 1,
        next_time: 1,
        attempts: 0,
        last_error: '',
      },
    ])
    await Promise.all(nodes.map((node) => node.look()))
    expect(await balances()).toEqual({ quota: 9670, used_quota: 330, remain_quota: 4670 })
    expect(await rows()).toEqual([])
    await Promise.all(nodes.map((node) => node.close()))
  })

  it('is stored later where the database does not take it at once', async () => {
    await charge('away', 10)
    let away = true
    const insertMany: Database['insertMany'] = async (...args) => {
      if (away) throw new Error('the database is away')
      return database.insertMany(...args)
    }
    const store = refunds([], { ...database, insertMany })
    await store.giveBack(refundOf('away', 10))
    expect(await rows()).toEqual([])
    away = false
    await store.look()
    await expect.poll(balances).toEqual({ quota: 9670, used_quota: 330, remain_quota: 4670 })
    await store.close()
  })

  describe('beside a correction of the price', () => {
    /** 100 units for tokens, and `storage` for keeping them. */
    const receiptOf = (storage: number) => {
      const { receipt } = aRecord('any', { quota: 100 })
      if (receipt === undefined) throw new Error('no receipt')
      const price = String(storage / 500)
      return { ...receipt, tools: [{ tool: 'cache_storage', quantity: 1, price }], quota: 100 + storage }
    }
    const keep = async (requestId: string) => {
      const record = aRecord(requestId, { userId, tokenId, channelId: 0, quota: 600, receipt: receiptOf(500) })
      await opened.ledger.recorder.charge(record)
      await opened.ledger.flush()
    }
    const correct = async (requestId: string, storage: number) => {
      const { applied, skipped } = await opened.ledger.movements.correct({
        correctionId: 1,
        calls: [
          {
            requestId,
            replaces: requestId,
            userId,
            username: 'ann',
            tokenId,
            tokenName: 'main',
            channelId: 0,
            model: 'gpt-4o-mini',
            group: 'default',
            oldQuota: 600,
            newQuota: 100 + storage,
            costed: false,
            receipt: JSON.stringify(receiptOf(storage)),
          },
        ],
        recorded: async () => {},
      })
      return [applied.length, skipped.length]
    }
    const spentBy = async (work: () => Promise<void>) => {
      const before = await balances()
      await work()
      const after = await balances()
      expect((before.remain_quota ?? 0) - (after.remain_quota ?? 0)).toBe((before.quota ?? 0) - (after.quota ?? 0))
      return (before.quota ?? 0) - (after.quota ?? 0)
    }
    const giveBack = async (requestId: string, quota: number) => {
      const store = refunds()
      await store.giveBack(refundOf(requestId, quota))
      await expect.poll(rows).toEqual([])
      await store.close()
    }

    it.each([250, 0, 1000])('goes back by the part that was not used: keeping it costs %d now', async (storage) => {
      const requestId = `corrected ${storage}`
      const spent = await spentBy(async () => {
        await keep(requestId)
        expect(await correct(requestId, storage)).toEqual([1, 0])
        await giveBack(requestId, 300)
      })
      expect(spent).toBe(100 + storage * 0.4)
      expect((await verifyLedger(database)).differences).toEqual([])
    })

    it('is left as it is by a correction that comes later: nobody gets more back than was paid', async () => {
      const spent = await spentBy(async () => {
        await keep('early')
        await giveBack('early', 300)
        expect(await correct('early', 0)).toEqual([0, 1])
      })
      expect(spent).toBe(300)
      expect((await verifyLedger(database)).differences).toEqual([])
    })
  })

  it('is given up only by an operator', async () => {
    const store = refunds()
    await store.giveBack(refundOf('unknown', 5))
    await expect.poll(async () => (await store.list(10)).total).toBe(1)
    expect(await store.drop('unknown')).toMatchObject({ quota: 5, user_id: userId })
    await expect(store.drop('unknown')).rejects.toMatchObject({ code: 'not_found' })
    await store.close()
    expect((await verifyLedger(database)).differences).toEqual([])
  })
})
