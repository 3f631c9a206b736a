import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
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
import { verifyLedger } from './verify.ts'

/** A user with a token and their ledger, for one `describe`; `begin` is what happened to them before its tests. */
const useBooks = (
  openDatabase: () => Promise<Database>,
  balance: number,
  remain: number,
  begin: () => Promise<void>,
) => {
  const books = {
    database: undefined as unknown as Database,
    open: undefined as unknown as TestLedger,
    userId: 0,
    tokenId: 0,
    run: (statement: string) => sql.raw(statement).execute(books.database.query),
    found: async () =>
      (await verifyLedger(books.database)).differences.map(({ account, id, what }) => [account, id, what]),
    async charge(id: string, quota: number) {
      const { userId, tokenId } = books
      await books.open.ledger.recorder.charge(aRecord(id, { userId, tokenId, quota }))
      await books.open.ledger.flush()
    },
  }
  let remove = async (): Promise<void> => {}
  beforeAll(async () => {
    const journal = await newJournalDirectory()
    remove = journal.remove
    books.database = await openDatabase()
    books.open = await openTestLedger(books.database, journal.directory)
    books.userId = await newUser(books.database, books.open.ledger, balance)
    books.tokenId = await newToken(books.database, books.open.ledger, { userId: books.userId, remain })
    await begin()
  })
  afterAll(async () => {
    await books.open.crash()
    await remove()
  })
  return books
}

describeEachEngine('verification', (openDatabase) => {
  const books = useBooks(openDatabase, 9_000_000_000_000, 8_000_000_000_000, async () => {
    await books.charge('plain', 5_000_000_000)
    await books.charge('free', 0)
  })
  const { run, found } = books

  it('finds nothing wrong with what the ledger wrote, even when the logs are gone', async () => {
    await run('delete from logs')
    expect(await verifyLedger(books.database)).toEqual({ users: 1, tokens: 1, charges: 2, logRows: 0, differences: [] })
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
      'a sum of movements',
      `update ledger_hours set amount = amount + 1`,
      `update ledger_hours set amount = amount - 1`,
      'user',
      'ledger_hours',
    ],
    [
      'hours of charges',
      'update usage_hours set quota = 1',
      'update usage_hours set quota = 5000000000',
      'user',
      'usage_hours',
    ],
    [
      'days of charges',
      'update usage_days set quota = 1',
      'update usage_days set quota = 5000000000',
      'user',
      'usage_days',
    ],
    [
      'a balance that is no whole number (where the column takes one)',
      'update users set quota = quota + 0.5',
      'update users set quota = 8995000000000',
      'user',
      'quota',
    ],
  ])('finds %s after a change by hand', async (_, change, back, account, what) => {
    await run(change)
    expect(await found()).toEqual([[account, account === 'token' ? books.tokenId : books.userId, what]])
    await run(back)
    expect(await found()).toEqual([])
  })

  it('finds a charge that was taken from its token, and one of a token that does not exist', async () => {
    const { tokenId } = books
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
    const { userId, tokenId } = books
    await run(`delete from ledger_entries where movement = 'plain'`)
    expect(await found()).toEqual([
      ['user', userId, 'quota'],
      ['user', userId, 'used_quota'],
      ['token', tokenId, 'remain_quota'],
      ['token', tokenId, 'used_quota'],
      ['user', userId, 'usage_hours'],
      ['user', userId, 'usage_days'],
    ])
  })
})

describeEachEngine(
  'charges that earlier versions wrote as an entry of the user and one of the token',
  (openDatabase) => {
    const books = useBooks(openDatabase, 1000, 900, async () => {
      await books.charge('old', 100)
      await run(`update ledger_entries set token_id = null where movement = 'old'`)
      const entry = { movement: 'old', amount: -100, reason: 'charge' as const, created_at: 1, detail: '{}' }
      const ofToken = { account: 'token' as const, account_id: books.tokenId }
      await books.database.query
        .insertInto('ledger_entries')
        .values({ ...entry, ...ofToken })
        .execute()
    })
    const { run, found } = books

    it('add up, also together with new ones', async () => {
      expect(await found()).toEqual([])
      await books.charge('new', 10)
      expect(await verifyLedger(books.database)).toEqual({
        users: 1,
        tokens: 1,
        charges: 2,
        logRows: 2,
        differences: [],
      })
    })

    it('are given back to both', async () => {
      const { database, open, userId } = books
      const refund = {
        due: async () => true,
        recorded: async () => {},
        detail: {},
        channelId: 0,
        paid: { userId, quota: 0 },
      }
      await open.ledger.movements.refund({ ...refund, movement: 'refund:old', requestId: 'old' })
      await open.ledger.movements.refund({ ...refund, movement: 'refund:new', requestId: 'new' })
      const { quota } = await database.query.selectFrom('users').select('quota').executeTakeFirstOrThrow()
      const token = await database.query.selectFrom('tokens').select('remain_quota').executeTakeFirstOrThrow()
      expect([quota, token.remain_quota]).toEqual([1000, 900])
      expect(await found()).toEqual([])
    })

    it('are compared, and one of a token does not stand alone', async () => {
      const { userId, tokenId } = books
      const where = `where movement = 'old' and account =`
      await run(`update ledger_entries set amount = amount - 1 ${where} 'token'`)
      expect(await found()).toContainEqual(['token', tokenId, 'charge of user'])
      await run(`update ledger_entries set amount = amount + 1 ${where} 'token'`)
      await run(`delete from ledger_entries ${where} 'user'`)
      expect(await found()).toEqual([
        ['user', userId, 'quota'],
        ['user', userId, 'used_quota'],
        ['token', tokenId, 'charge of user'],
        ['user', userId, 'usage_hours'],
        ['user', userId, 'usage_days'],
        ['log', userId, 'charge'],
      ])
    })
  },
)
