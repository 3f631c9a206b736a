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

  it('finds a charge that was taken from its token, and one of a token that does not exist', async () => {
    const where = `where movement = 'plain'`
    const less = [
      ['token', tokenId, 'remain_quota'],
      ['token', tokenId, 'used_quota'],
    ]
    await run(`update ledger_entries set token_id = null ${where}`)
    expect(await found()).toEqual(less)
    await run(`update ledger_entries set token_id = ${tokenId + 1000} ${where}`)
    expect(await found()).toEqual([...less, ['token', tokenId + 1000, 'account']])
    await run(`update ledger_entries set token_id = ${tokenId} ${where}`)
    expect(await found()).toEqual([])
  })

  it('finds a charge that was removed', async () => {
    await run(`delete from ledger_entries where movement = 'plain'`)
    expect(await found()).toEqual([
      ['user', userId, 'quota'],
      ['user', userId, 'used_quota'],
      ['token', tokenId, 'remain_quota'],
      ['token', tokenId, 'used_quota'],
    ])
  })
})

describeEachEngine(
  'charges that earlier versions wrote as an entry of the user and one of the token',
  (openDatabase) => {
    let database: Database
    let directory: Awaited<ReturnType<typeof newJournalDirectory>>
    let open: TestLedger
    let userId: number
    let tokenId: number

    const run = (statement: string) => sql.raw(statement).execute(database.query)
    const found = async () =>
      (await verifyLedger(database)).differences.map(({ account, id, what }) => [account, id, what])
    const ofToken = () => ({ account: 'token' as const, account_id: tokenId })

    beforeAll(async () => {
      database = await openDatabase()
      directory = await newJournalDirectory()
      open = await openTestLedger(database, directory.directory)
      userId = await newUser(database, open.ledger, 1000)
      tokenId = await newToken(database, open.ledger, { userId, remain: 900 })
      await open.ledger.recorder.end(aRecord('old', { userId, tokenId, quota: 100 }))
      await open.ledger.flush()
      await run(`update ledger_entries set token_id = null where movement = 'old'`)
      const entry = { movement: 'old', amount: -100, reason: 'charge' as const, created_at: 1, detail: '{}' }
      await database.query
        .insertInto('ledger_entries')
        .values({ ...entry, ...ofToken() })
        .execute()
    })
    afterAll(async () => {
      await open.crash()
      await directory.remove()
    })

    it('add up, also together with new ones', async () => {
      expect(await found()).toEqual([])
      await open.ledger.recorder.end(aRecord('new', { userId, tokenId, quota: 10 }))
      await open.ledger.flush()
      expect(await verifyLedger(database)).toEqual({ users: 1, tokens: 1, charges: 2, differences: [] })
    })

    it('are given back to both', async () => {
      const given = {
        due: async () => true,
        given: async () => {},
        detail: {},
        channelId: 0,
        paid: { userId, quota: 0 },
      }
      await open.ledger.movements.refund({ ...given, movement: 'refund:old', requestId: 'old' })
      await open.ledger.movements.refund({ ...given, movement: 'refund:new', requestId: 'new' })
      const { quota } = await database.query.selectFrom('users').select('quota').executeTakeFirstOrThrow()
      const token = await database.query.selectFrom('tokens').select('remain_quota').executeTakeFirstOrThrow()
      expect([quota, token.remain_quota]).toEqual([1000, 900])
      expect(await found()).toEqual([])
    })

    it('are compared, and one of a token does not stand alone', async () => {
      const where = `where movement = 'old' and account =`
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
  },
)
