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
import { insertReturningId } from '../../db/dialect.ts'
import type { TaskStart } from '../../relay/ports.ts'
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
    expect(await verifyLedger(books.database)).toEqual({
      users: 1,
      tokens: 1,
      charges: 2,
      logRows: 0,
      unlogged: 2,
      differences: [],
    })
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
      'tokens of a model',
      'update usage_hours set prompt_tokens = prompt_tokens + 1',
      'update usage_hours set prompt_tokens = prompt_tokens - 1',
      'user',
      'usage by model',
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
        unlogged: 0,
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

const aTask: TaskStart = {
  platform: 'midjourney',
  taskId: 'task-1',
  action: 'IMAGINE',
  code: 1,
  prompt: 'a picture',
  description: '',
  state: '',
  status: 'SUBMITTED',
  progress: '0%',
  imageUrl: '',
  failReason: '',
  submittedAt: 1,
  keyHash: 'hash',
}

describeEachEngine('what was bought, redeemed and paid back', (openDatabase) => {
  const books = useBooks(openDatabase, 1000, 900, async () => {
    const { database, open, userId, tokenId } = books
    const { movements, recorder } = open.ledger
    const bought = { user_id: userId, quota: 500, status: 'success', complete_time: 5, create_time: 4 }
    const order = await insertReturningId(database.query, 'top_ups', {
      ...bought,
      amount: 1,
      money: '1.00',
      trade_no: 'one',
      payment_method: 'zfb',
      merchant_id: '1',
      gateway_trade_no: '2',
    })
    const of = { account: 'user', accountId: userId } as const
    await movements.move({ id: `topup:${order}`, gives: [{ ...of, amount: 500, reason: 'topup' }] })
    const code = await insertReturningId(database.query, 'redemptions', {
      user_id: 1,
      key_hash: 'hash',
      key_cipher: '',
      status: 3,
      name: 'code',
      quota: 300,
      created_time: 1,
      redeemed_time: 2,
      used_user_id: userId,
      expired_time: 0,
      batch_id: 'batch',
      deleted_at: null,
    })
    await movements.move({ id: `redeem:${code}`, gives: [{ ...of, amount: 300, reason: 'redeem' }] })
    await recorder.charge(aRecord('drawn', { userId, tokenId, quota: 40, task: aTask }))
    await open.ledger.flush()
    const drawn = await database.query.selectFrom('midjourneys').select('id').executeTakeFirstOrThrow()
    await movements.refund({
      movement: `refund:midjourney:${drawn.id}`,
      requestId: 'drawn',
      paid: { userId, quota: 40 },
      channelId: 0,
      detail: { request_id: 'drawn' },
      due: async () => true,
      recorded: async () => {},
    })
    await books.run(`update midjourneys set status = 'FAILURE', progress = '100%'`)
  })
  const { run, found } = books

  it('is right as it was written', async () => expect(await found()).toEqual([]))

  it.each([
    ['an order of another amount', 'update top_ups set quota = 501', 'update top_ups set quota = 500', 'order'],
    [
      'a credit without a paid order',
      `update top_ups set status = 'pending'`,
      `update top_ups set status = 'success'`,
      'order',
    ],
    [
      'an order of somebody else',
      'update top_ups set user_id = user_id + 1',
      'update top_ups set user_id = user_id - 1',
      'order',
    ],
    [
      'a code that may be used again',
      'update redemptions set status = 1',
      'update redemptions set status = 3',
      'redemption code',
    ],
    [
      'a code of another worth',
      'update redemptions set quota = 299',
      'update redemptions set quota = 300',
      'redemption code',
    ],
  ])('finds %s', async (_, change, back, what) => {
    await run(change)
    expect((await found()).map(([, , kind]) => kind)).toEqual([what])
    await run(back)
    expect(await found()).toEqual([])
  })

  it('finds movements that were taken away wherever else they stand', async () => {
    const { database, userId } = books
    const take = async (reason: string, amount: number, times: 1 | -1) => {
      await run(`update users set quota = quota - ${times * amount}`)
      await run(`update ledger_hours set amount = amount - ${times * amount} where reason = '${reason}'`)
      if (reason === 'refund') {
        await run(`update users set used_quota = used_quota + ${times * amount}`)
        await run(`update tokens set remain_quota = remain_quota - ${times * amount}`)
        await run(`update tokens set used_quota = used_quota + ${times * amount}`)
      }
    }
    for (const [reason, amount, what] of [
      ['topup', 500, 'order'],
      ['redeem', 300, 'redemption code'],
      ['refund', 40, 'refund of a task'],
    ] as const) {
      const entries = await database.query
        .selectFrom('ledger_entries')
        .selectAll()
        .where('reason', '=', reason)
        .execute()
      await run(`delete from ledger_entries where reason = '${reason}'`)
      await take(reason, amount, 1)
      expect(await found()).toEqual([['user', userId, what]])
      await take(reason, amount, -1)
      await database.insertMany(
        'ledger_entries',
        entries.map((entry) => ({ ...entry })),
      )
      expect(await found()).toEqual([])
    }
  })

  it('finds a refund above its charge, and one of a charge that is not there', async () => {
    const { userId } = books
    await run(`update ledger_entries set amount = 41 where reason = 'refund'`)
    expect(await found()).toContainEqual(['user', userId, 'refund'])
    await run(`update ledger_entries set amount = 40 where reason = 'refund'`)
    await run(
      `update ledger_entries set detail = '{"request_id":"other"}' where reason = 'refund' and account = 'user'`,
    )
    expect(await found()).toEqual([['user', userId, 'refund']])
    await run(`update ledger_entries set detail = '{"request_id":"drawn"}' where reason = 'refund'`)
    expect(await found()).toEqual([])
  })

  it('finds a movement that is called another one', async () => {
    const { userId } = books
    await run(`update ledger_entries set reason = 'grant' where reason = 'redeem'`)
    expect(await found()).toEqual([
      ['user', userId, 'ledger_hours'],
      ['user', userId, 'ledger_hours'],
    ])
    await run(`update ledger_entries set reason = 'redeem' where reason = 'grant'`)
    expect(await found()).toEqual([])
  })
})

describeEachEngine('verification of transfers', (openDatabase) => {
  const books = useBooks(openDatabase, 1000, 1000, async () => undefined)

  it('finds a wallet that paid out what calls had been charged, and no other', async () => {
    const { database, open, userId, run, found } = books
    const to = await newUser(database, open.ledger, 0)
    const common = { account: 'user', reason: 'transfer', amount: 400 } as const
    const takes = [{ ...common, accountId: userId }]
    await open.ledger.movements.move({ id: 'out', takes, gives: [{ ...common, accountId: to }] })
    await books.charge('call', 500)
    expect(await found()).toEqual([])
    // As an earlier version did: the call had ended before, and the transfer took what it was to pay.
    await run(`update ledger_entries set amount = amount * 2, detail = '{}' where movement = 'out'`)
    expect(await found()).toContainEqual(['user', userId, 'left for calls'])
  })
})
