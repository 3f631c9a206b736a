import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import type { Database } from '#server/db/database.ts'
import { describeEachEngine } from '#server-test/support/db/databases.ts'
import { perUnit, type TestUser, type WalletSite } from '#server-test/support/features/wallet.ts'
import { openCodeSite } from '../tests/code-site.ts'

describeEachEngine('redeeming', (open) => {
  let database: Database
  let site: WalletSite
  let admin: TestUser

  beforeAll(async () => {
    database = await open()
    site = await openCodeSite(database)
    admin = await site.admin()
    return () => site.close()
  })

  const codes = async (fields: object = {}): Promise<string[]> => {
    const answer = await admin.call('POST', '/api/redemption/', { name: 'gift', quota: 1000, ...fields })
    return answer.json.data as string[]
  }
  const code = async (fields: object = {}): Promise<string> => (await codes(fields))[0] ?? ''
  const redeem = async (user: TestUser, key: unknown) => (await user.call('POST', '/api/user/topup', { key })).json
  const newest = () =>
    database.query.selectFrom('redemptions').selectAll().orderBy('id', 'desc').executeTakeFirstOrThrow()

  it('adds the quota of a code once, writes it into the ledger and the log, and says how much', async () => {
    const user = await site.user('default', 5)
    const key = await code({ quota: 2 * perUnit })
    expect(await redeem(user, `  ${key}\n`)).toEqual({ success: true, message: '', data: 2 * perUnit })
    const row = await newest()
    expect(await site.balance(user.id)).toBe(5 + 2 * perUnit)
    expect(await site.entries(user.id)).toEqual([
      { movement: `redeem:${row.id}`, amount: 2 * perUnit, reason: 'redeem' },
    ])
    expect(row).toMatchObject({ status: 3, used_user_id: user.id, redeemed_time: site.state.now / 1000 })
    const event = site.events.at(-1)
    expect([event?.type, event?.userId, event?.content]).toEqual([
      1,
      user.id,
      `通过兑换码充值 ＄2.000000 额度，兑换码ID ${row.id}`,
    ])
    expect(await redeem(user, key)).toMatchObject({ success: false, message: '兑换失败，该兑换码已被使用' })
    expect(await site.balance(user.id)).toBe(5 + 2 * perUnit)
  })

  it('keeps a code unused that would bring the balance above what a number holds', async () => {
    const user = await site.user('default', Number.MAX_SAFE_INTEGER - 999)
    const key = await code({ quota: 1000 })
    expect(await redeem(user, key)).toMatchObject({ success: false, code: 'balance_too_large' })
    expect(await newest()).toMatchObject({ status: 1, used_user_id: 0 })
    expect(await site.balance(user.id)).toBe(Number.MAX_SAFE_INTEGER - 999)
    expect(await redeem(await site.user('default', 5), key)).toMatchObject({ success: true })
  })

  it('has one winner, however many try on however many nodes', async () => {
    const key = await code({ quota: 700 })
    const people = await Promise.all(Array.from({ length: 6 }, () => site.user()))
    const answers = await Promise.all([...people, ...people].map((user) => redeem(user, key)))
    const won = answers.filter(({ success }) => success)
    expect(won).toHaveLength(1)
    for (const { success, message } of answers) if (!success) expect(message).toBe('兑换失败，该兑换码已被使用')
    const balances = await Promise.all(people.map(({ id }) => site.balance(id)))
    expect(balances.toSorted((a, b) => b - a)).toEqual([700, 0, 0, 0, 0, 0])
    const entries = (await Promise.all(people.map(({ id }) => site.entries(id)))).flat()
    expect(entries).toHaveLength(1)
    expect(await site.differences()).toEqual([])
  })

  it('gives one person several codes at once without losing any', async () => {
    const user = await site.user()
    const keys = await codes({ quota: 11, count: 5 })
    const answers = await Promise.all(keys.map((key) => redeem(user, key)))
    expect(answers.every(({ success }) => success === true)).toBe(true)
    expect(await site.balance(user.id)).toBe(55)
  })

  it('lets an administrator and a redeemer race without a third outcome', async () => {
    for (let round = 0; round < 5; round += 1) {
      const user = await site.user()
      const key = await code({ quota: 9 })
      const { id } = await newest()
      const [redeemed] = await Promise.all([
        redeem(user, key),
        admin.call('PUT', '/api/redemption/?status_only=true', { id, status: 2 }),
        admin.call('PUT', '/api/redemption/', { id, quota: 90 }),
      ])
      const { status, quota } = await newest()
      const balance = await site.balance(user.id)
      expect(status).toBe(redeemed.success ? 3 : 2)
      expect(balance).toBe(redeemed.success ? quota : 0)
    }
    expect(await site.differences()).toEqual([])
  })

  it.each([
    ['', '未提供兑换码'],
    ['   ', '未提供兑换码'],
    [undefined, '未提供兑换码'],
    ['0123456789abcdef0123456789abcdef', '兑换失败，无效的兑换码'],
    [12, '无效的参数'],
  ])('refuses %j with %s', async (key, message) => {
    expect(await redeem(await site.user(), key)).toMatchObject({ success: false, message })
  })

  it('refuses codes that are disabled, deleted or past their time', async () => {
    const user = await site.user()
    const disabled = await code()
    await admin.call('PUT', '/api/redemption/?status_only=1', { id: (await newest()).id, status: 2 })
    expect((await redeem(user, disabled)).message).toBe('兑换失败，该兑换码已被使用')
    const deleted = await code()
    await admin.call('DELETE', `/api/redemption/${(await newest()).id}/`)
    expect((await redeem(user, deleted)).message).toBe('兑换失败，无效的兑换码')
    const late = await code({ expired_time: site.state.now / 1000 + 60 })
    site.state.now += 60_000
    expect((await redeem(user, late)).message).toBe('兑换失败，该兑换码已过期')
    expect(await site.balance(user.id)).toBe(0)
  })

  it('slows guesses down per user, without holding up anybody else', async () => {
    const guesser = await site.user()
    const other = await site.user()
    const messages: unknown[] = []
    for (let guess = 0; guess < 16; guess += 1) {
      messages.push((await redeem(guesser, `${guess}`.padStart(32, '0'))).message)
    }
    expect(messages.slice(0, 5)).toEqual(Array(5).fill('兑换失败，无效的兑换码'))
    expect(messages.at(-1)).toMatch(/^兑换尝试过于频繁，请 \d+ 秒后再试$/)
    expect((await redeem(guesser, await code())).success).toBe(false)
    expect((await redeem(other, await code())).success).toBe(true)
    site.state.now += 3_600_000
    expect((await redeem(guesser, await code())).success).toBe(true)
  })

  it('keeps every balance the sum of its entries, whatever people do with codes', async () => {
    const people = await Promise.all(Array.from({ length: 3 }, () => site.user()))
    const attempt = fc.record({ user: fc.nat(2), code: fc.nat(3) })
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 1e9 }), { minLength: 4, maxLength: 4 }),
        fc.array(attempt, { maxLength: 12 }),
        async (quotas, attempts) => {
          site.state.now += 3_600_001
          const keys = await Promise.all(quotas.map((quota) => code({ quota })))
          const before = await Promise.all(people.map(({ id }) => site.balance(id)))
          const answers = await Promise.all(
            attempts.map(async ({ user, code: which }) => ({
              user,
              which,
              answer: await redeem(people[user] ?? admin, keys[which]),
            })),
          )
          const won = answers.filter(({ answer }) => answer.success)
          expect(new Set(won.map(({ which }) => which)).size).toBe(won.length)
          const gained = await Promise.all(
            people.map(async ({ id }, user) => (await site.balance(id)) - (before[user] ?? 0)),
          )
          const expected = people.map((_, index) =>
            won.filter(({ user }) => user === index).reduce((sum, { which }) => sum + (quotas[which] ?? 0), 0),
          )
          expect(gained).toEqual(expected)
        },
      ),
      { numRuns: 8 },
    )
    expect(await site.differences()).toEqual([])
  })
})
