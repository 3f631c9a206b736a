import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { describeEachEngine } from '../../test/support/db/databases.ts'
import { aBegin, aRecord } from '../../test/support/journal/records.ts'
import {
  newJournalDirectory,
  newToken,
  newUser,
  openTestLedger,
  type TestLedger,
} from '../../test/support/ledger/ledger.ts'
import { noUsage } from '../billing/usage.ts'
import type { Database } from '../db/database.ts'
import { journalRecord } from '../journal/journal-record.ts'
import type { RequestRecord } from '../relay/ports.ts'
import { verifyLedger } from './verify/verify.ts'

describeEachEngine('the ledger', (openDatabase) => {
  let database: Database
  let directory: Awaited<ReturnType<typeof newJournalDirectory>>
  let open: TestLedger
  let userId: number
  let tokenId: number
  let ids = 0

  const record = (more: Partial<RequestRecord> = {}): RequestRecord => {
    ids += 1
    return aRecord(`request-${ids}`, { userId, tokenId, channelId: 0, ...more })
  }
  const userRow = () =>
    database.query.selectFrom('users').selectAll().where('id', '=', userId).executeTakeFirstOrThrow()
  const tokenRow = () =>
    database.query.selectFrom('tokens').selectAll().where('id', '=', tokenId).executeTakeFirstOrThrow()
  const logsOf = (id: string) => database.query.selectFrom('logs').selectAll().where('request_id', '=', id).execute()
  const restart = async (): Promise<void> => {
    await open.crash()
    open = await openTestLedger(database, directory.directory)
  }

  beforeAll(async () => {
    database = await openDatabase()
    directory = await newJournalDirectory()
    open = await openTestLedger(database, directory.directory)
  })
  afterAll(async () => {
    await open.crash()
    await directory.remove()
  })
  beforeEach(async () => {
    userId = await newUser(database, open.ledger, 10_000)
    tokenId = await newToken(database, open.ledger, { userId, remain: 5000 })
  })

  it('charges user and token, counts, and writes the log and the hour', async () => {
    const at = 1_750_000_123_456
    const one = record({ quota: 700, promptTokens: 30, completionTokens: 12, at, model: 'gpt-x' })
    await open.ledger.recorder.charge(one)
    await open.ledger.recorder.charge(record({ quota: 0, promptTokens: 0, completionTokens: 0, at }))
    await open.ledger.flush()
    expect(await userRow()).toMatchObject({ quota: 9300, used_quota: 700, request_count: 1 })
    expect(await tokenRow()).toMatchObject({ remain_quota: 4300, used_quota: 700, accessed_time: 1_750_000_123 })
    expect(await logsOf(one.id)).toMatchObject([
      { type: 2, quota: 700, created_at: 1_750_000_123, model_name: 'gpt-x' },
    ])
    const hours = database.query.selectFrom('quota_data').selectAll().where('user_id', '=', userId)
    expect(await hours.where('model_name', '=', 'gpt-x').execute()).toMatchObject([
      { created_at: 1_749_999_600, token_used: 42, count: 1, quota: 700 },
    ])
  })

  it('writes everything that people read of a call into its row', async () => {
    const one = record({
      quota: 70,
      promptTokens: 30,
      completionTokens: 12,
      at: 1_750_000_123_456,
      useTime: 9,
      isStream: true,
      model: 'gpt-x',
      group: 'vip',
      channelId: 4,
      content: '模型倍率',
      ip: '192.0.2.7',
      username: 'Zoë',
      tokenName: '生产',
      other: { frt: 5 },
    })
    await open.ledger.recorder.charge(one)
    await open.ledger.flush()
    const [{ id: _, ...row } = { id: 0, other: '' }] = await logsOf(one.id)
    expect({ ...row, other: JSON.parse(row.other) }).toEqual({
      type: 2,
      created_at: 1_750_000_123,
      user_id: userId,
      username: 'Zoë',
      token_id: tokenId,
      token_name: '生产',
      model_name: 'gpt-x',
      group: 'vip',
      channel_id: 4,
      content: '模型倍率',
      ip: '192.0.2.7',
      request_id: one.id,
      provider_request_id: null,
      session: null,
      tags: null,
      answer_id: null,
      end_user: null,
      provisional: null,
      quota: 70,
      prompt_tokens: 30,
      completion_tokens: 12,
      use_time: 9,
      is_stream: 1,
      other: { frt: 5, receipt: one.receipt },
    })
  })

  it('adds up apart what only looks alike when it is written without a gap', async () => {
    const at = 1_750_000_000_000
    await open.ledger.recorder.charge(record({ quota: 1, at, group: 'ab', model: 'c' }))
    await open.ledger.recorder.charge(record({ quota: 2, at, group: 'a', model: 'bc' }))
    await open.ledger.flush()
    const hours = database.query.selectFrom('usage_hours').select(['group', 'model_name', 'quota'])
    expect(await hours.where('user_id', '=', userId).orderBy('quota').execute()).toEqual([
      { group: 'ab', model_name: 'c', quota: 1 },
      { group: 'a', model_name: 'bc', quota: 2 },
    ])
  })

  it('adds up what calls cost, apart from those whose cost is not known', async () => {
    const at = 1_750_000_000_000
    const costs = [30, undefined, 0, 12]
    for (const cost of costs) {
      await open.ledger.recorder.charge(record({ quota: 10, at, model: 'costed', cost }))
      await open.ledger.flush()
    }
    for (const table of ['usage_hours', 'usage_days', 'usage_site_days'] as const) {
      const rows = await database.query
        .selectFrom(table as 'usage_hours')
        .select(['count', 'quota', 'cost', 'costed_count', 'costed_quota'])
        .where('model_name', '=', 'costed')
        .execute()
      expect(rows).toEqual([{ count: 4, quota: 40, cost: 42, costed_count: 3, costed_quota: 30 }])
    }
  })

  it('adds to the hour that exists', async () => {
    for (const quota of [1, 2]) {
      await open.ledger.recorder.charge(record({ quota, at: 1_750_000_000_000, model: 'gpt-y' }))
      await open.ledger.flush()
    }
    const hours = database.query.selectFrom('quota_data').selectAll().where('user_id', '=', userId)
    expect(await hours.execute()).toMatchObject([{ count: 2, quota: 3, token_used: 3 }])
  })

  it('applies a record once although it comes again and again', async () => {
    const one = record({ quota: 100 })
    await Promise.all([open.ledger.recorder.charge(one), open.ledger.recorder.charge(one)])
    await open.ledger.flush()
    await open.ledger.recorder.charge(one)
    await open.ledger.flush()
    expect(await userRow()).toMatchObject({ quota: 9900, request_count: 1 })
    expect(await logsOf(one.id)).toHaveLength(1)
  })

  it('only logs a failure', async () => {
    const failed = record({ kind: 'error', quota: 0, receipt: undefined })
    await open.ledger.recorder.fail(failed)
    await open.ledger.flush()
    expect(await userRow()).toMatchObject({ quota: 10_000, request_count: 0 })
    expect(await logsOf(failed.id)).toMatchObject([{ type: 5 }])
  })

  it('takes quota from an unlimited token below zero', async () => {
    tokenId = await newToken(database, open.ledger, { userId, remain: 0, unlimited: true })
    const held = await open.ledger.holds.hold({ userId, tokenId, amount: 10 })
    expect(held.kind).toBe('held')
    await open.ledger.recorder.charge(record({ quota: 10 }))
    await open.ledger.flush()
    expect(await tokenRow()).toMatchObject({ remain_quota: -10, used_quota: 10 })
  })

  it('finds the charge of a request whose process ended after the journal had it', async () => {
    const one = record({ quota: 321 })
    await open.journal.end(journalRecord(one))
    await restart()
    expect(await userRow()).toMatchObject({ quota: 9679 })
    await restart()
    expect(await userRow()).toMatchObject({ quota: 9679, request_count: 1 })
  })

  it('settles interrupted requests from their last progress, and once', async () => {
    const begin = { userId, tokenId, channelId: 0 }
    open.ledger.recorder.begin(aBegin(`running-${userId}`, begin))
    open.ledger.recorder.progress(`running-${userId}`, { ...noUsage, input: 1000, output: 100 })
    open.ledger.recorder.begin(aBegin(`silent-${userId}`, begin))
    await restart()
    await restart()
    // (1000 + 100 × 4) × 0.075
    expect(await userRow()).toMatchObject({ quota: 9895, used_quota: 105 })
    expect(await logsOf(`running-${userId}`)).toMatchObject([{ type: 2, quota: 105, content: 'interrupted' }])
    expect(await logsOf(`silent-${userId}`)).toMatchObject([{ type: 5, quota: 0, content: 'interrupted' }])
  })

  it('lets a hold see a movement as soon as it is made', async () => {
    const hold = (amount: number) => open.ledger.holds.hold({ userId, tokenId: 0, amount })
    expect(await hold(10_001)).toMatchObject({ kind: 'refused', remain: 10_000 })
    await open.ledger.movements.adjust({ userId, amount: 5000, detail: { by: 'root' } })
    expect(await hold(15_000)).toMatchObject({ kind: 'held' })
  })

  it('makes a movement once', async () => {
    const grant = { userId, amount: 10, movement: `grant:${userId}`, reason: 'grant' } as const
    const made = await Promise.all([open.ledger.movements.adjust(grant), open.ledger.movements.adjust(grant)])
    expect(made).toEqual([true, false])
    expect(await userRow()).toMatchObject({ quota: 10_010 })
  })

  it('refuses a debit that the balance does not cover, and leaves no trace of it', async () => {
    await expect(open.ledger.movements.adjust({ userId, amount: -10_001 })).rejects.toMatchObject({
      code: 'balance_too_small',
    })
    await expect(open.ledger.movements.adjustToken({ tokenId: 999_999, amount: 1 })).rejects.toMatchObject({
      code: 'not_found',
    })
    expect(await userRow()).toMatchObject({ quota: 10_000 })
  })

  it('makes all entries of a movement or none', async () => {
    const { movements } = open.ledger
    const entry = { account: 'aff', accountId: userId, amount: 500, reason: 'grant' } as const
    await movements.move({ id: `invite:${userId}`, gives: [entry] })
    const transfer = (id: string, amount: number) =>
      movements.move({
        id,
        takes: [{ account: 'aff', accountId: userId, amount, reason: 'transfer' }],
        gives: [{ account: 'user', accountId: userId, amount, reason: 'transfer' }],
      })
    expect(await transfer(`transfer:${userId}:1`, 400)).toBe(true)
    await expect(transfer(`transfer:${userId}:2`, 400)).rejects.toMatchObject({ code: 'balance_too_small' })
    expect(await userRow()).toMatchObject({ quota: 10_400, aff_quota: 100, aff_history_quota: 500 })
  })

  it('does not make a movement whose guard refuses', async () => {
    const guard = async (): Promise<void> => {
      throw new Error('used already')
    }
    const gives = [{ account: 'user', accountId: userId, amount: 1, reason: 'redeem' }] as const
    await expect(open.ledger.movements.move({ id: `code:${userId}`, gives, guard })).rejects.toThrow('used already')
    expect(await userRow()).toMatchObject({ quota: 10_000 })
  })

  it('sets balances as differences', async () => {
    await open.ledger.recorder.charge(record({ quota: 100 }))
    await open.ledger.flush()
    await open.ledger.movements.setBalance({ userId, balance: 50 })
    await open.ledger.movements.setTokenRemain({ tokenId, remain: 60 })
    expect(await userRow()).toMatchObject({ quota: 50, used_quota: 100 })
    expect(await tokenRow()).toMatchObject({ remain_quota: 60, used_quota: 100 })
  })

  it('writes no row for a charge when consumption is not logged, and charges all the same', async () => {
    await open.crash()
    const options = { logConsume: () => false, logErrors: () => true, hourly: () => false }
    open = await openTestLedger(database, directory.directory, { options })
    const [charge, failure] = [record({ quota: 5 }), record({ kind: 'error', quota: 0 })]
    await Promise.all([open.ledger.recorder.charge(charge), open.ledger.recorder.fail(failure)])
    await open.ledger.flush()
    expect(await userRow()).toMatchObject({ quota: 9995 })
    expect(await logsOf(charge.id)).toEqual([])
    expect(await logsOf(failure.id)).toHaveLength(1)
    await restart()
  })

  it('writes no row for a failure when failures are not logged', async () => {
    await open.crash()
    const options = { logConsume: () => true, logErrors: () => false, hourly: () => false }
    open = await openTestLedger(database, directory.directory, { options })
    const [charge, failure] = [record({ quota: 5 }), record({ kind: 'error', quota: 0 })]
    await Promise.all([open.ledger.recorder.charge(charge), open.ledger.recorder.fail(failure)])
    await open.ledger.flush()
    expect(await logsOf(charge.id)).toHaveLength(1)
    expect(await logsOf(failure.id)).toEqual([])
    await restart()
  })

  it('keeps no journal of what is in the database', async () => {
    await open.ledger.recorder.charge(record())
    await open.ledger.flush()
    await open.crash()
    open = await openTestLedger(database, directory.directory)
    expect(open.journal.replay().segments).toEqual([])
  })

  it('adds up', async () => {
    expect((await verifyLedger(database)).differences).toEqual([])
  })
})
