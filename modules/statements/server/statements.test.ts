import type { Statement } from '@tollgate/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeEachEngine } from '#server-test/support/db/databases.ts'
import { newToken } from '#server-test/support/ledger/ledger.ts'
import { openStatementSite, type StatementSite } from '../tests/statement-site.ts'

const at = (text: string): number => Date.parse(text)
const seconds = (text: string): number => at(text) / 1000

describeEachEngine('a statement', (open) => {
  let site: StatementSite
  let ann: number
  let ben: number
  let key: number

  beforeAll(async () => {
    site = await openStatementSite(await open())
    const { ledger, state } = site
    const { movements } = ledger
    state.now = at('2026-09-20T10:00:00Z')
    ann = await site.newUser(1000)
    ben = await site.newUser(50)
    key = await newToken(site.database, ledger, { userId: ann, remain: 5000 })
    await site.charge(ann, 100, { model: 'plain' })
    state.now = at('2026-10-03T10:00:00Z')
    await movements.adjust({ movement: 'topup:1', userId: ann, amount: 500, reason: 'topup' })
    state.now = at('2026-10-03T23:30:00Z')
    await movements.adjust({ movement: 'topup:2', userId: ann, amount: 40, reason: 'topup' })
    state.now = at('2026-10-20T10:00:00Z')
    await movements.adjust({ userId: ann, amount: -7 })
    await movements.move({ id: 'invited', gives: [{ account: 'aff', accountId: ann, amount: 60, reason: 'grant' }] })
    await movements.move({
      id: 'transfer',
      takes: [{ account: 'aff', accountId: ann, amount: 25, reason: 'transfer' }],
      gives: [{ account: 'user', accountId: ann, amount: 25, reason: 'transfer' }],
    })
    const named = { tokenId: key, tokenName: 'an old name' }
    await site.charge(ann, 30, { model: 'plain', promptTokens: 20, completionTokens: 10 })
    await site.charge(ann, 50, { model: '=dear', ...named, promptTokens: 5, completionTokens: 6 })
    await site.charge(ann, 8, { model: 'plain', ...named, promptTokens: 1, completionTokens: 2 })
    await site.charge(ben, 5, { model: 'plain' })
    await ledger.flush()
    state.now = at('2026-11-23T12:00:00Z')
  })
  afterAll(() => site.close())

  it('ties opening balance, movements and charges to the closing balance', async () => {
    expect(await site.read(`user/${ann}`, '2026-10')).toEqual({
      user: { id: ann, username: expect.any(String), display_name: expect.any(String), deleted: false },
      month: '2026-10',
      zone: 'UTC',
      from: seconds('2026-10-01T00:00:00Z'),
      to: seconds('2026-11-01T00:00:00Z'),
      complete: true,
      opening: 900,
      closing: 900 + 540 - 7 + 25 - 88,
      movements: [
        { reason: 'adjust', count: 1, amount: -7 },
        { reason: 'topup', count: 2, amount: 540 },
        { reason: 'transfer', count: 1, amount: 25 },
      ],
      charges: { count: 3, quota: 88, prompt_tokens: 26, completion_tokens: 18 },
      models: [
        { model: '=dear', count: 1, quota: 50, prompt_tokens: 5, completion_tokens: 6 },
        { model: 'plain', count: 2, quota: 38, prompt_tokens: 21, completion_tokens: 12 },
      ],
      keys: [
        {
          token_id: key,
          name: expect.stringMatching(/^token/),
          count: 2,
          quota: 58,
          prompt_tokens: 6,
          completion_tokens: 8,
        },
        { token_id: 0, name: '', count: 1, quota: 30, prompt_tokens: 20, completion_tokens: 10 },
      ],
      days: [
        { at: seconds('2026-10-03T10:00:00Z'), reason: 'topup', count: 2, amount: 540 },
        { at: seconds('2026-10-20T10:00:00Z'), reason: 'adjust', count: 1, amount: -7 },
        { at: seconds('2026-10-20T10:00:00Z'), reason: 'transfer', count: 1, amount: 25 },
      ],
      earnings: {
        opening: 0,
        closing: 35,
        movements: [
          { reason: 'grant', count: 1, amount: 60 },
          { reason: 'transfer', count: 1, amount: -25 },
        ],
      },
      quota_per_unit: 500_000,
    })
  })

  it('sums all users for the site', async () => {
    const month = await site.read('site', '2026-10')
    expect(month).toMatchObject({ user: null, opening: 950, closing: 950 + 540 - 7 + 25 - 93, keys: [], days: [] })
    expect(month.charges).toMatchObject({ count: 4, quota: 93 })
    expect(month.models.map(({ model, quota }) => [model, quota])).toEqual([
      ['=dear', 50],
      ['plain', 43],
    ])
  })

  it('begins months and days in the zone of the reader, to the minute', async () => {
    const shanghai = await site.read(`user/${ann}`, '2026-10', 'Asia/Shanghai')
    expect([shanghai.from, shanghai.to]).toEqual([seconds('2026-09-30T16:00:00Z'), seconds('2026-10-31T16:00:00Z')])
    expect(shanghai.days.map(({ reason, count }) => [reason, count])).toEqual([
      ['topup', 1],
      ['topup', 1],
      ['adjust', 1],
      ['transfer', 1],
    ])
    const kolkata = await site.read(`user/${ann}`, '2026-10', 'Asia/Kolkata')
    expect([kolkata.from, kolkata.to]).toEqual([seconds('2026-09-30T18:30:00Z'), seconds('2026-10-31T18:30:00Z')])
    const newYork = await site.read(`user/${ann}`, '2026-11', 'America/New_York')
    expect([newYork.from, newYork.to]).toEqual([seconds('2026-11-01T04:00:00Z'), seconds('2026-12-01T05:00:00Z')])
    expect(await site.read(`user/${ann}`, '2026-10', 'Mars/Base')).toMatchObject({ zone: 'UTC' })
  })

  it('shows an empty month, the present one and one to come', async () => {
    const empty: Partial<Statement> = { movements: [], models: [], keys: [], days: [] }
    expect(await site.read(`user/${ann}`, '2026-08')).toMatchObject({ ...empty, opening: 0, closing: 0 })
    const balance = 900 + 540 - 7 + 25 - 88
    const present = { ...empty, opening: balance, closing: balance, complete: false }
    expect(await site.read(`user/${ann}`, '2026-11')).toMatchObject(present)
    expect(await site.read(`user/${ann}`, '2030-01')).toMatchObject(present)
    const { json } = await site.operator('GET', `/api/statement/user/${ann}`)
    expect(json.data).toMatchObject({ month: '2026-11' })
    for (const month of ['2026-13', '26-1', '1999-12', 'x']) {
      const refused = await site.operator('GET', `/api/statement/user/${ann}?month=${month}`)
      expect(refused.json).toMatchObject({ success: false })
    }
  })

  it('shows a user without movements, a cancelled one, and refuses one that never was', async () => {
    const none = await site.newUser(0)
    expect(await site.read(`user/${none}`, '2026-10')).toMatchObject({ opening: 0, closing: 0, charges: { count: 0 } })
    await site.database.query.updateTable('users').set({ deleted_at: 1 }).where('id', '=', ben).execute()
    expect(await site.read(`user/${ben}`, '2026-10')).toMatchObject({
      user: { deleted: true },
      opening: 50,
      closing: 45,
    })
    await site.database.query.updateTable('users').set({ deleted_at: null }).where('id', '=', ben).execute()
    await expect(site.read('user/999999', '2026-10')).rejects.toThrow()
  })

  it('gives users their own and no other', async () => {
    const own = site.signIn({ id: ann, username: 'ann', role: 1 })
    expect((await own('GET', '/api/statement/self?month=2026-10')).json.data).toMatchObject({ user: { id: ann } })
    for (const path of [`user/${ben}`, `user/${ben}/export`, 'site', 'site/export'])
      expect((await own('GET', `/api/statement/${path}`)).json).toMatchObject({ success: false })
  })

  it('is a file whose lines add up and whose names are no formulas', async () => {
    const text = await site.csv(`user/${ann}`, '2026-10')
    const lines = text.replace('\uFEFF', '').trimEnd().split('\r\n')
    expect(lines[0]).toBe('section,time,item,count,prompt_tokens,completion_tokens,quota,currency_amount')
    expect(lines).toContain("charges_by_model,,'=dear,1,5,6,-50,-0.000100")
    expect(lines).toContain('movement,2026-10-03T10:00:00.000Z,topup,2,,,540,0.001080')
    expect(lines[1]).toBe('opening,2026-10-01T00:00:00.000Z,,,,,900,0.001800')
    expect(lines.at(-1)).toBe('closing,2026-11-01T00:00:00.000Z,,,,,1370,0.002740')
  })

  it('is a file of all users for the site, with their sum', async () => {
    const lines = (await site.csv('site', '2026-10')).replace('\uFEFF', '').trimEnd().split('\r\n')
    const [head = '', ...rows] = lines.map((line) => line.split(','))
    const column = (name: string) => rows.map((row) => row[head.indexOf(name)])
    expect(column('user_id')).toEqual([String(ann), String(ben), 'total'])
    expect(column('opening')).toEqual(['900', '50', '950'])
    expect(column('topup')).toEqual(['540', '0', '540'])
    expect(column('charges')).toEqual(['-88', '-5', '-93'])
    expect(column('closing')).toEqual(['1370', '45', '1415'])
    expect(column('closing_amount')).toEqual(['0.002740', '0.000090', '0.002830'])
  })
})
