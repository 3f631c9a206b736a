import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeEachEngine } from '../../../test/support/db/databases.ts'
import { aBegin, aRecord } from '../../../test/support/journal/records.ts'
import { newJournalDirectory, newUser, openTestLedger, type TestLedger } from '../../../test/support/ledger/ledger.ts'
import { noUsage } from '../../billing/usage.ts'
import type { Database } from '../../db/database.ts'
import { hedgeCostSince, hedgeSums } from '../../features/virtual-models/hedge-costs.ts'

describeEachEngine('what losing channels cost', (openDatabase) => {
  let database: Database
  let directory: Awaited<ReturnType<typeof newJournalDirectory>>
  let open: TestLedger
  let userId: number

  beforeAll(async () => {
    database = await openDatabase()
    directory = await newJournalDirectory()
    open = await openTestLedger(database, directory.directory)
    userId = await newUser(database, open.ledger, 10_000)
  })
  afterAll(async () => {
    await open.crash()
    await directory.remove()
  })

  const hour = 1_750_000_000 - (1_750_000_000 % 3600)
  const at = hour * 1000 + 5

  it('has an account of its own; users pay the answer only', async () => {
    const call = { userId, tokenId: 0, model: 'gpt-x', quota: 100, cost: 60 }
    const hedge = (channelId: number, cost: number, won: boolean) => ({ ...call, hedge: { channelId, cost, won } })
    const { recorder } = open.ledger
    await recorder.charge(aRecord('h1', { at, ...hedge(3, 40, true) }))
    await recorder.charge(aRecord('h2', { at, ...hedge(3, 2, false) }))
    await recorder.charge(aRecord('h3', { at: at + 3_600_000, ...hedge(4, 7, false) }))
    await recorder.charge(aRecord('h4', { at, ...call }))
    await open.ledger.flush()
    const { quota } = await database.query
      .selectFrom('users')
      .select('quota')
      .where('id', '=', userId)
      .executeTakeFirstOrThrow()
    expect(quota).toBe(10_000 - 400)
    expect(await hedgeSums(database, { from: hour, most: 10 })).toEqual([
      { channel_id: 3, model_name: 'gpt-x', count: 2, won: 1, cost: 42 },
      { channel_id: 4, model_name: 'gpt-x', count: 1, won: 0, cost: 7 },
    ])
    expect(await hedgeCostSince(database, hour + 3600)).toBe(7)
  })

  it('outlives a crash, also of a stream that was under way', async () => {
    const before = await hedgeCostSince(database, 0)
    const { recorder } = open.ledger
    recorder.begin({ ...aBegin('h5', { userId, tokenId: 0, at }), hedge: { channelId: 3, cost: 11, won: true } })
    recorder.progress('h5', { ...noUsage, input: 10 })
    await recorder.charge(
      aRecord('h6', { userId, tokenId: 0, at, quota: 1, hedge: { channelId: 3, cost: 5, won: false } }),
    )
    await open.crash()
    open = await openTestLedger(database, directory.directory)
    await open.ledger.flush()
    expect(await hedgeCostSince(database, 0)).toBe(before + 16)
  })
})
