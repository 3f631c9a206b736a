import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { places } from '../../../test/support/db/places.ts'
import { newJournalDirectory, newUser, openTestLedger, type TestLedger } from '../../../test/support/ledger/ledger.ts'
import { openLedgerProcess } from '../../../test/support/ledger/ledger-process.ts'
import { redisHere, testRedis } from '../../../test/support/lib/redis.ts'
import type { Database } from '../../db/database.ts'
import { openDatabase } from '../../db/engines/open.ts'
import { migrate } from '../../db/migrate.ts'
import { type Epoch, openEpoch } from '../epoch/stored-epoch.ts'
import { verifyLedger } from '../verify/verify.ts'
import { openRedisAccounts } from './holds-redis.ts'

const graceMs = 1000
const beatMs = 50

describe.skipIf(!redisHere)('a node that does not answer for longer than the grace', () => {
  const openPlace = async () => {
    const redis = await testRedis()
    await redis.start()
    onTestFinished(redis.stop)
    const { address, remove } = await places.sqlite()
    onTestFinished(remove)
    const database = await openDatabase(address)
    onTestFinished(() => database.close())
    await migrate(database)
    return { redisUrl: redis.url, address, database }
  }

  const openDirectory = async (): Promise<string> => {
    const { directory, remove } = await newJournalDirectory()
    onTestFinished(remove)
    return directory
  }

  const openNode = async (
    node: { nodeName: string; url: string; epoch: Epoch },
    database: Database,
  ): Promise<TestLedger> => {
    const open = await openTestLedger(database, await openDirectory(), {
      openAccounts: (parts) => openRedisAccounts({ ...parts, ...node, graceMs, beatMs, warn: () => undefined }),
    })
    onTestFinished(open.crash)
    return open
  }

  const availableTo = async ({ ledger }: TestLedger, userId: number): Promise<number> => {
    const answer = await ledger.holds.hold({ userId, tokenId: 0, amount: 1_000_000 })
    if (answer.kind === 'held') throw new Error('there is no limit')
    return answer.remain
  }

  it('counts again with what it has held and charged when it was paused, and is charged once', async () => {
    const { redisUrl, address, database } = await openPlace()
    const north = await openNode({ nodeName: 'north', url: redisUrl, epoch: await openEpoch(database) }, database)
    const directory = await openDirectory()
    const south = await openLedgerProcess({ address, directory, redisUrl, nodeName: 'south', graceMs, beatMs })
    onTestFinished(south.kill)
    const userId = await newUser(database, north.ledger, 100)
    const available = (): Promise<number> => availableTo(north, userId)

    expect(await south.hold('long', userId, 30)).toBe(true)
    expect(await south.hold('charged', userId, 10)).toBe(true)
    expect(await south.hold('short', userId, 25)).toBe(true)
    await south.charge('charged', userId, 15)
    await expect.poll(available).toBe(30)

    south.pause()
    await expect.poll(available).toBe(100)
    // While it stands still, others can spend what it has reserved: that much may be missing once.
    const answer = await north.ledger.holds.hold({ userId, tokenId: 0, amount: 60 })
    south.resume()
    await expect.poll(available).toBe(-30)
    expect(await south.hold('too much', userId, 1)).toBe(false)

    if (answer.kind === 'held') answer.hold.release()
    await south.release('short')
    await expect.poll(available).toBe(55)
    await south.charge('long', userId, 20)
    await south.flush()
    await expect.poll(available).toBe(65)
    const entries = database.query.selectFrom('ledger_entries').select('amount').where('reason', '=', 'charge')
    expect((await entries.execute()).map(({ amount }) => amount).toSorted((a, b) => a - b)).toEqual([-20, -15])
    expect((await verifyLedger(database)).differences).toEqual([])
  })

  it('counts while only its database stands still', async () => {
    const { redisUrl, database } = await openPlace()
    const epoch = await openEpoch(database)
    const north = await openNode({ nodeName: 'north', url: redisUrl, epoch }, database)
    let answered: () => void = () => undefined
    let standsStill: Promise<void> | undefined
    const slow: Epoch = {
      ...epoch,
      async read() {
        await standsStill
        return epoch.read()
      },
    }
    const south = await openNode({ nodeName: 'south', url: redisUrl, epoch: slow }, database)
    const userId = await newUser(database, north.ledger, 100)
    expect(await south.ledger.holds.hold({ userId, tokenId: 0, amount: 30 })).toMatchObject({ kind: 'held' })
    standsStill = new Promise((resolve) => {
      answered = resolve
    })
    onTestFinished(() => answered())
    await sleep(2 * graceMs)
    await expect.poll(() => availableTo(north, userId)).toBe(70)
  })
})
