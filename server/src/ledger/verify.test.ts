import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Database } from '../db/database.ts'
import { describeEachEngine } from '../db/test-databases.ts'
import { aRecord } from '../journal/test-records.ts'
import { newJournalDirectory, newToken, newUser, openTestLedger, type TestLedger } from './test-ledger.ts'
import { verifyLedger } from './verify.ts'

describeEachEngine('verification', (openDatabase) => {
  let database: Database
  let directory: Awaited<ReturnType<typeof newJournalDirectory>>
  let open: TestLedger
  let userId: number
  let tokenId: number

  const run = (statement: string) => sql.raw(statement).execute(database.query)
  const found = async () =>
    (await verifyLedger(database)).differences.map(({ account, id, what }) => [account, id, what])

  beforeAll(async () => {
    database = await openDatabase()
    directory = await newJournalDirectory()
    open = await openTestLedger(database, directory.directory)
    userId = await newUser(database, open.ledger, 9_000_000_000_000)
    tokenId = await newToken(database, open.ledger, { userId, remain: 8_000_000_000_000 })
    for (const [id, quota] of [
      ['plain', 5_000_000_000],
      ['free', 0],
    ] as const) {
      await open.ledger.recorder.end(aRecord(id, { userId, tokenId, quota }))
    }
    await open.ledger.flush()
  })
  afterAll(async () => {
    await open.crash()
    await directory.remove()
  })

  it('finds nothing wrong with what the ledger wrote, even when the logs are gone', async () => {
    await run('delete from logs')
    expect(await verifyLedger(database)).toEqual({ users: 1, tokens: 1, charges: 2, differences: [] })
  })

  it.each([
    ['a balance', 'update users set quota = quota + 1', 'update users set quota = quota - 1', 'user', 'quota'],
    [
      'what a user used',
      'update users set used_quota = 1',
      'update users set used_quota = 5000000000',
      'user',
      'used_quota',
    ],
    ['earnings', 'update users set aff_quota = 1', 'update users set aff_quota = 0', 'aff', 'aff_quota'],
    [
      'what a token has left',
      'update tokens set remain_quota = remain_quota - 1',
      'update tokens set remain_quota = remain_quota + 1',
      'token',
      'remain_quota',
    ],
    [
      'a receipt',
      `update ledger_entries set detail = replace(detail, '"quantity":5000000000', '"quantity":5000000001')`,
      `update ledger_entries set detail = replace(detail, '"quantity":5000000001', '"quantity":5000000000')`,
      'user',
      'receipt',
    ],
    [
      'what a receipt says it comes to',
      `update ledger_entries set detail = replace(detail, '"quota":5000000000', '"quota":5000000001')`,
      `update ledger_entries set detail = replace(detail, '"quota":5000000001', '"quota":5000000000')`,
      'user',
      'receipt',
    ],
    [
      'a balance that is no whole number (where the column takes one)',
      'update users set quota = quota + 0.5',
      'update users set quota = 8995000000000',
      'user',
      'quota',
    ],
  ])('finds %s that somebody changed', async (_, change, back, account, what) => {
    await run(change)
    expect(await found()).toEqual([[account, account === 'token' ? tokenId : userId, what]])
    await run(back)
    expect(await found()).toEqual([])
  })

  it('finds an entry that was removed and one that user and token do not share', async () => {
    const where = `where movement = 'plain' and account =`
    await run(`update ledger_entries set amount = amount - 1 ${where} 'token'`)
    expect(await found()).toContainEqual(['token', tokenId, 'charge of user'])
    await run(`update ledger_entries set amount = amount + 1 ${where} 'token'`)
    await run(`delete from ledger_entries ${where} 'user'`)
    expect(await found()).toEqual([
      ['user', userId, 'quota'],
      ['user', userId, 'used_quota'],
      ['token', tokenId, 'charge of user'],
    ])
  })
})
