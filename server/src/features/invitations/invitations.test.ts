import { beforeAll, expect, it } from 'vitest'
import { describeEachEngine } from '../../../test/support/db/databases.ts'
import { openConsole } from '../../../test/support/features/accounts.ts'
import { newJournalDirectory, openTestLedger } from '../../../test/support/ledger/ledger.ts'
import type { Database } from '../../db/database.ts'
import { createInvitations } from './invitations.ts'
import { invitationRoutes } from './join.ts'

const perUnit = 500_000

describeEachEngine('invitations', (open) => {
  let database: Database
  let site: Awaited<ReturnType<typeof openConsole>>
  let movements: Awaited<ReturnType<typeof openTestLedger>>['ledger']['movements']
  let count = 0

  beforeAll(async () => {
    database = await open()
    site = await openConsole(database)
    const journal = await newJournalDirectory()
    const { ledger, crash } = await openTestLedger(database, journal.directory)
    movements = ledger.movements
    const parts = { database, ledger: movements, quotaPerUnit: () => perUnit }
    const bareAmountText = (quota: number): string => `＄${(quota / perUnit).toFixed(6)}`
    invitationRoutes(
      site.api.on,
      createInvitations({ ...parts, bareAmountText, amountText: (quota) => `${bareAmountText(quota)} 额度` }),
    )
    return async () => {
      await crash()
      await journal.remove()
    }
  })

  const stored = (id: number) =>
    database.query.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const entriesOf = (id: number) =>
    database.query
      .selectFrom('ledger_entries')
      .select(['movement', 'account', 'amount', 'reason'])
      .where('account_id', '=', id)
      .where('reason', '=', 'transfer')
      .orderBy('id')
      .execute()

  /** A signed-in user whose invitations have earned this. */
  const inviter = async (earned: number) => {
    count += 1
    const user = await site.person(`inviter${count}`, 1)
    if (earned > 0) {
      const entry = { account: 'aff', accountId: user.id, amount: earned, reason: 'grant' } as const
      await movements.move({ id: `grant:${user.id}`, gives: [entry] })
    }
    const transfer = (quota: unknown) => user.call('POST', '/api/user/aff_transfer', { quota })
    return { ...user, transfer }
  }

  it('moves earnings to the balance in one movement', async () => {
    const user = await inviter(3 * perUnit)
    const answer = await user.transfer(2 * perUnit)
    expect(answer.json).toEqual({ success: true, message: '划转成功' })
    expect(await stored(user.id)).toMatchObject({
      quota: 1000 + 2 * perUnit,
      aff_quota: perUnit,
      aff_history_quota: 3 * perUnit,
    })
    const entries = await entriesOf(user.id)
    expect(entries.map(({ account, amount }) => [account, amount])).toEqual(
      expect.arrayContaining([
        ['aff', -2 * perUnit],
        ['user', 2 * perUnit],
      ]),
    )
    expect(new Set(entries.map(({ movement }) => movement)).size).toBe(1)
  })

  it.each([
    [perUnit - 1, '划转失败 转移额度最小为＄1.000000 额度！'],
    [0, '划转失败 转移额度最小为＄1.000000 额度！'],
    [-perUnit, '划转失败 转移额度最小为＄1.000000 额度！'],
    [perUnit + 1, '划转失败 邀请额度不足！'],
    [Number.MAX_SAFE_INTEGER, '划转失败 邀请额度不足！'],
    [perUnit + 0.5, '无效的参数'],
    ['all', '无效的参数'],
  ])('refuses to transfer %j and moves nothing', async (quota, message) => {
    const user = await inviter(perUnit)
    const answer = await user.transfer(quota)
    expect([answer.status, answer.json.message]).toEqual([200, message])
    expect(await stored(user.id)).toMatchObject({ quota: 1000, aff_quota: perUnit })
    expect(await entriesOf(user.id)).toEqual([])
  })

  it('says the least amount in English, too', async () => {
    const user = await inviter(perUnit)
    const answer = await user.call('POST', '/api/user/aff_transfer', { quota: 1 }, { 'accept-language': 'en' })
    expect(answer.json.message).toBe('Transfer failed: the smallest amount is ＄1.000000')
  })

  it('lets parallel transfers have only what there is', async () => {
    const user = await inviter(3 * perUnit)
    const answers = await Promise.all(Array.from({ length: 8 }, () => user.transfer(perUnit)))
    expect(answers.filter(({ json }) => json.success === true)).toHaveLength(3)
    expect(await stored(user.id)).toMatchObject({ quota: 1000 + 3 * perUnit, aff_quota: 0 })
  })

  it('shows the invite code, and makes one for an account without', async () => {
    const user = await inviter(0)
    const { aff_code } = await stored(user.id)
    expect((await user.call('GET', '/api/user/aff')).json.data).toBe(aff_code)
    await database.query.updateTable('users').set({ aff_code: '' }).where('id', '=', user.id).execute()
    const answers = await Promise.all(Array.from({ length: 4 }, () => user.call('GET', '/api/user/aff')))
    const codes = new Set(answers.map(({ json }) => json.data))
    expect(codes.size).toBe(1)
    expect([...codes][0]).toMatch(/^[A-Za-z0-9]{4}$/)
    expect((await stored(user.id)).aff_code).toBe([...codes][0])
  })

  it('require a session', async () => {
    expect((await site.call('GET', '/api/user/aff')).status).toBe(401)
    expect((await site.call('POST', '/api/user/aff_transfer', { body: { quota: perUnit } })).status).toBe(401)
  })
})
