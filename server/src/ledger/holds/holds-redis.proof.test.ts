import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeEachEngine } from '../../../test/support/db/databases.ts'
import { aJournalRecord, aRecord } from '../../../test/support/journal/records.ts'
import {
  newJournalDirectory,
  newToken,
  newUser,
  openTestLedger,
  type TestLedger,
} from '../../../test/support/ledger/ledger.ts'
import { redisHere, type TestRedis, testRedis } from '../../../test/support/lib/redis.ts'
import type { Database } from '../../db/database.ts'
import type { Hold, HoldAnswer, HoldRequest } from '../../relay/ports.ts'
import { openEpoch } from '../epoch/stored-epoch.ts'
import { verifyLedger } from '../verify/verify.ts'
import { openRedisAccounts } from './holds-redis.ts'

// A file without a test fails.
if (!redisHere) it.skip('There is no redis-server here: holds shared by several nodes are not tested', () => undefined)

const held = (answer: HoldAnswer): Hold => {
  if (answer.kind === 'refused') throw new Error(`refused: ${answer.account}`)
  return answer.hold
}

/** A node is taken for dead after this silence; a busy machine may hold up a living one for a second. */
const graceMs = 1500

if (redisHere) {
  describeEachEngine('holds shared through Redis', (openDatabase) => {
    let redis: TestRedis
    let database: Database
    let north: TestLedger
    let south: TestLedger
    const directories: { directory: string; remove(): Promise<void> }[] = []
    let requests = 0

    const openNode = async (nodeName: string, directory?: string, patienceMs = 0): Promise<TestLedger> => {
      const fresh = await newJournalDirectory()
      directories.push(fresh)
      const shared = { url: redis.url, nodeName, epoch: await openEpoch(database), warn: () => undefined }
      return openTestLedger(database, directory ?? fresh.directory, {
        openAccounts: (parts) => openRedisAccounts({ ...parts, ...shared, graceMs, beatMs: 50, patienceMs }),
      })
    }

    const hold = async (node: TestLedger, userId: number, amount: number, tokenId = 0): Promise<HoldAnswer> =>
      node.ledger.holds.hold({ userId, tokenId, amount })

    const call = async (node: TestLedger, userId: number, amount: number, charge: number): Promise<boolean> => {
      requests += 1
      const requestId = `request-${requests}`
      const answer = await node.ledger.holds.hold({ userId, tokenId: 0, amount })
      if (answer.kind === 'refused') return false
      await new Promise(setImmediate)
      const record = aRecord(requestId, { userId, tokenId: 0, channelId: 0, quota: charge })
      if (charge > 0) await node.ledger.recorder.charge(record, answer.hold)
      answer.hold.release()
      return true
    }

    const balanceOf = async (id: number): Promise<number> => {
      const user = database.query.selectFrom('users').select('quota').where('id', '=', id)
      return (await user.executeTakeFirstOrThrow()).quota
    }

    /** Exactly the balance can be held, wherever one asks. */
    const expectAgreement = async (id: number): Promise<void> => {
      await south.ledger.movements.adjust({ userId: id, amount: 7 })
      const balance = await balanceOf(id)
      for (const node of [north, south]) {
        await expect
          .poll(() => hold(node, id, balance + 1))
          .toEqual({ kind: 'refused', account: 'user', remain: balance, need: balance + 1 })
      }
      const all = held(await hold(north, id, balance))
      expect(await hold(south, id, 1)).toMatchObject({ kind: 'refused', remain: 0 })
      all.release()
      await expect.poll(async () => (await hold(south, id, balance)).kind).toBe('held')
    }

    beforeAll(async () => {
      redis = await testRedis()
      await redis.start()
      database = await openDatabase()
      north = await openNode('north')
      south = await openNode('south')
    })
    afterAll(async () => {
      await north.crash()
      await south.crash()
      await redis.stop()
      for (const { remove } of directories) await remove()
    })

    it('let nothing leave that another node holds, or was charged and has not booked', async () => {
      const userId = await newUser(database, north.ledger, 1000)
      const to = await newUser(database, north.ledger, 0)
      const payOut = (node: TestLedger, amount: number) => {
        const common = { account: 'user', reason: 'transfer', amount } as const
        requests += 1
        const [takes, gives] = [[{ ...common, accountId: userId }], [{ ...common, accountId: to }]]
        return node.ledger.movements.move({ id: `pay-out-${requests}`, takes, gives })
      }
      const answer = await hold(north, userId, 900)
      if (answer.kind !== 'held') return expect.fail('refused')
      await expect(payOut(south, 101)).rejects.toMatchObject({ code: 'balance_too_small' })
      expect(await payOut(south, 100)).toBe(true)
      const record = aRecord(`paid-${userId}`, { userId, tokenId: 0, channelId: 0, quota: 900 })
      await north.ledger.recorder.charge(record, answer.hold)
      await expect(payOut(south, 1)).rejects.toMatchObject({ code: 'balance_too_small' })
      await north.ledger.flush()
      expect([await balanceOf(userId), await balanceOf(to)]).toEqual([0, 100])
    })

    it('never give out more than the balance on all nodes together', async () => {
      const userId = await newUser(database, north.ledger, 100)
      const tokenId = await newToken(database, north.ledger, { userId, remain: 70 })
      const answers = await Promise.all(
        Array.from({ length: 60 }, (_, index) => hold(index % 2 === 0 ? north : south, userId, 10, tokenId)),
      )
      expect(answers.filter(({ kind }) => kind === 'held')).toHaveLength(7)
      expect(answers.find(({ kind }) => kind === 'refused')).toMatchObject({ account: 'token', remain: 0, need: 10 })
    })

    it('do not check a token that is unlimited', async () => {
      const userId = await newUser(database, north.ledger, 100)
      const tokenId = await newToken(database, north.ledger, { userId, remain: 0, unlimited: true })
      expect(await hold(south, userId, 60, tokenId)).toMatchObject({ kind: 'held' })
      expect(await hold(north, userId, 60, tokenId)).toMatchObject({ kind: 'refused', account: 'user', remain: 40 })
    })

    it('are refused where not enough is spared, and may grow into an overdraft on any node', async () => {
      const userId = await newUser(database, north.ledger, 100)
      const tokenId = await newToken(database, north.ledger, { userId, remain: 60 })
      const ask = async (node: TestLedger, amount: number, more: Partial<HoldRequest>): Promise<HoldAnswer> =>
        node.ledger.holds.hold({ userId, tokenId: 0, amount, ...more })
      expect(await ask(north, 60, { spare: 41 })).toMatchObject({ account: 'user', remain: 100, need: 60 })
      expect(await ask(south, 50, { tokenId, spare: 11 })).toMatchObject({ account: 'token', remain: 60 })
      held(await ask(south, 110, { spare: -30 }))
      expect(await ask(north, 1, { spare: -30 })).toMatchObject({ account: 'user', remain: -10 })
      held(await ask(north, 20, { spare: -30, more: true }))
      expect(await ask(south, 1, { spare: -30, more: true })).toMatchObject({ account: 'user', remain: -30 })
    })

    it('are refused for an account that does not exist', async () => {
      expect(await hold(north, 987_654, 0)).toMatchObject({ kind: 'refused', remain: 0 })
    })

    it('show a movement of one node to the others', async () => {
      const userId = await newUser(database, north.ledger, 10)
      expect(await hold(south, userId, 50)).toMatchObject({ kind: 'refused', remain: 10 })
      await north.ledger.movements.adjust({ userId, amount: 90 })
      expect(await hold(south, userId, 101)).toMatchObject({ kind: 'refused', remain: 100 })
    })

    it('stay right while nodes charge and move the same accounts', async () => {
      const people = await Promise.all([1, 2, 3].map(() => newUser(database, north.ledger, 1500)))
      const worker = async (node: TestLedger): Promise<void> => {
        for (let index = 0; index < 60; index += 1) {
          const userId = people[Math.floor(Math.random() * people.length)] ?? 0
          const amount = Math.floor(Math.random() * 30)
          if (Math.random() < 0.1) await node.ledger.movements.adjust({ userId, amount })
          else await call(node, userId, amount, Math.floor(Math.random() * (amount + 1)))
        }
      }
      await Promise.all([north, south].flatMap((node) => Array.from({ length: 8 }, () => worker(node))))
      await Promise.all([north.ledger.flush(), south.ledger.flush()])
      for (const userId of people) {
        const entries = await database.query
          .selectFrom('ledger_entries')
          .select('amount')
          .where('account', '=', 'user')
          .where('account_id', '=', userId)
          .orderBy('id')
          .execute()
        let balance = 0
        for (const { amount } of entries) {
          balance += amount
          expect(balance).toBeGreaterThanOrEqual(0)
        }
        await expectAgreement(userId)
      }
      expect((await verifyLedger(database)).differences).toEqual([])
    })

    it('count what a node held until it has been silent for the grace', async () => {
      const userId = await newUser(database, north.ledger, 100)
      const doomed = await openNode('doomed')
      held(await hold(doomed, userId, 80))
      await doomed.crash()
      expect(await hold(north, userId, 50)).toMatchObject({ kind: 'refused', remain: 20 })
      await expect.poll(async () => (await hold(north, userId, 100)).kind).toBe('held')
    })

    it('find the charges of a node that died when it starts again', async () => {
      const userId = await newUser(database, north.ledger, 100)
      const place = await newJournalDirectory()
      directories.push(place)
      const { directory } = place
      const doomed = await openNode('phoenix', directory)
      held(await hold(doomed, userId, 80))
      await doomed.journal.end(aJournalRecord('phoenix-1', { userId, tokenId: 0, channelId: 0, quota: 60 }))
      await doomed.crash()
      const again = await openNode('phoenix', directory)
      expect(await balanceOf(userId)).toBe(40)
      await expect.poll(async () => (await hold(north, userId, 40)).kind).toBe('held')
      await again.crash()
    })

    it('survive a Redis that forgets everything', async () => {
      const userId = await newUser(database, north.ledger, 100)
      const kept = held(await hold(north, userId, 70))
      await redis.stop()
      await expect(hold(south, userId, 1)).rejects.toMatchObject({ code: 'recording_failed' })
      await redis.start()
      const tryOnce = async (): Promise<HoldAnswer> => {
        const answer = await hold(south, userId, 50)
        // Until the other node has written its share again, there seems to be enough.
        if (answer.kind !== 'refused') answer.hold.release()
        return answer
      }
      await expect.poll(() => tryOnce().catch(() => undefined)).toMatchObject({ kind: 'refused', remain: 30 })
      kept.release()
      await expectAgreement(userId)
    })

    it('wait for a Redis that was lost a moment ago, and no longer', async () => {
      const userId = await newUser(database, north.ledger, 100)
      const [patient, hasty] = [await openNode('patient', undefined, 120_000), await openNode('hasty', undefined, 2000)]
      await redis.stop()
      const waiting = hold(patient, userId, 60)
      await expect(hold(hasty, userId, 60)).rejects.toMatchObject({ code: 'recording_failed' })
      // Without a wait, since it is known to be away.
      const began = performance.now()
      for (let calls = 0; calls < 50; calls += 1) await hold(hasty, userId, 60).catch(() => undefined)
      // 50 waits would be 100 s.
      expect(performance.now() - began).toBeLessThan(60_000)
      await redis.start()
      const kept = held(await waiting)
      await expect
        .poll(() => hold(south, userId, 50).catch(() => undefined))
        .toMatchObject({ kind: 'refused', remain: 40 })
      kept.release()
      for (const node of [patient, hasty]) await node.crash()
      await expectAgreement(userId)
    })

    it('charge while Redis is away, and write the charges to it later', async () => {
      const userId = await newUser(database, north.ledger, 100)
      const kept = held(await hold(north, userId, 50))
      await redis.stop()
      await north.ledger.recorder.charge(aRecord('while-away', { userId, tokenId: 0, channelId: 0, quota: 30 }), kept)
      await north.ledger.flush()
      expect(await balanceOf(userId)).toBe(70)
      await redis.start()
      await expect.poll(() => hold(south, userId, 71).catch(() => undefined)).toBeDefined()
      await expectAgreement(userId)
    })
  })
}
