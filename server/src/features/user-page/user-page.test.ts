import {
  getUserOverview,
  getUserUsage,
  listInvitees,
  listUserLedger,
  listUserSessions,
  listUserTokens,
} from '@tollgate/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describeEachEngine } from '../../../test/support/db/databases.ts'
import { openUserPageSite, type TestUser, type UserPageSite } from '../../../test/support/features/user-page.ts'

const hour = 3_600_000
const day = 24 * hour

describeEachEngine('the page about one user', (open) => {
  let site: UserPageSite
  let root: TestUser
  let admin: TestUser

  beforeAll(async () => {
    site = await openUserPageSite(await open())
    root = await site.person(100, 0, 'root')
    admin = await site.person(10, 0, 'admin')
  })
  afterAll(() => site.close())

  const set = (id: number, change: object) =>
    site.database.query.updateTable('users').set(change).where('id', '=', id).execute()

  const data = async (caller: TestUser, path: string): Promise<Record<string, unknown>> => {
    const { json } = await caller.call('GET', path)
    if (json.success !== true) throw new Error(String(json.message))
    return json.data as Record<string, unknown>
  }

  let sessions = 0
  const session = async (userId: number, expires: number): Promise<void> => {
    sessions += 1
    const now = site.state.now / 1000
    const row = { user_id: userId, created_time: now, last_seen_time: now + sessions, expires_time: expires }
    await site.database.query
      .insertInto('sessions')
      .values({ ...row, id_hash: `hash-${sessions}`, ip: '192.0.2.9', user_agent: `Browser ${sessions}` })
      .execute()
  }

  it('begins with the user, the inviter and counts', async () => {
    const inviter = await site.person(1)
    const user = await site.person(1, 500)
    await set(user.id, { inviter_id: inviter.id })
    await site.tokens.create({ ...user, group: 'default', ip: '' }, { ...newToken, name: 'one' })
    await session(user.id, site.state.now / 1000 + 60)
    await session(user.id, site.state.now / 1000 - 60)
    expect(await data(admin, `/api/user/${user.id}/overview`)).toMatchObject({
      user: { id: user.id, quota: 500, password: '', access_token: '' },
      inviter: { id: inviter.id, username: inviter.username },
      tokens: 1,
      sessions: 1,
    })
    expect((await data(admin, `/api/user/${inviter.id}/overview`)).inviter).toBeNull()
  })

  it('stays readable when the user is cancelled, because the books stay', async () => {
    const user = await site.person(1, 10)
    await set(user.id, { deleted_at: 1_700_000_000 })
    const { user: shown } = await data(admin, `/api/user/${user.id}/overview`)
    expect(shown).toMatchObject({ DeletedAt: '2023-11-14T22:13:20.000Z' })
    expect(await data(admin, `/api/user/${user.id}/ledger`)).toMatchObject({
      items: [{ amount: 10, reason: 'opening' }],
    })
  })

  const newToken = {
    expired_time: -1,
    remain_quota: 0,
    unlimited_quota: true,
    model_limits_enabled: false,
    model_limits: '',
    allow_ips: '',
    group: '',
  }

  it('lists the keys of this user only, masked', async () => {
    const user = await site.person(1)
    const owner = { ...user, group: 'default', ip: '' }
    const { key } = await site.tokens.create(owner, { ...newToken, name: 'nightly' })
    await site.tokens.create(owner, { ...newToken, name: 'daily' })
    await site.tokens.create({ ...admin, group: 'default', ip: '' }, { ...newToken, name: 'not theirs' })
    const { text, json } = await admin.call('GET', `/api/user/${user.id}/tokens`)
    expect(json.data).toMatchObject({ total: 2, items: [{ name: 'daily' }, { name: 'nightly' }] })
    expect(text).not.toContain(key)
    expect(text).not.toMatch(/cipher|hash/)
    expect(await data(admin, `/api/user/${user.id}/tokens?keyword=night&status=1`)).toMatchObject({ total: 1 })
    expect(await data(admin, `/api/user/${user.id}/tokens?status=2`)).toMatchObject({ total: 0, items: [] })
    const made = await site.tokens.create(owner, { ...newToken, name: 'hourly' })
    const only = (of: number, id: number) => data(admin, `/api/user/${of}/tokens?ids=${id}`)
    expect(await only(user.id, made.id)).toMatchObject({ total: 1, items: [{ name: 'hourly' }] })
    const other = await site.person(1)
    expect(await only(other.id, made.id)).toMatchObject({ total: 0, items: [] })
  })

  it('sums what was spent by hour and model, by id, whatever the name was', async () => {
    const user = await site.person(1, 100_000)
    const start = site.state.now
    site.state.now = start - 40 * day
    await site.charge(user, 9)
    site.state.now = start - 2 * day
    await site.charge({ ...user, username: 'old-name' }, 30, 'gpt-4o')
    await site.charge(user, 5)
    site.state.now = start
    await site.charge({ id: user.id, username: 'new-name' }, 20, 'gpt-4o')
    await site.ledger.flush()
    const from = (start - 29 * day) / 1000
    expect(await data(admin, `/api/user/${user.id}/usage?start_timestamp=${from}`)).toEqual({
      hours: [
        { at: (start - 2 * day) / 1000, quota: 35, count: 2, tokens: 35 },
        { at: start / 1000, quota: 20, count: 1, tokens: 20 },
      ],
      models: [
        { model: 'gpt-4o', quota: 50, count: 2, tokens: 50 },
        { model: 'gpt-4o-mini', quota: 5, count: 1, tokens: 5 },
      ],
      aborted: { count: 0, quota: 0 },
    })
    const whole = await data(admin, `/api/user/${user.id}/usage?start_timestamp=0`)
    expect(whole.hours).toHaveLength(3)
    const answer = await admin.call('GET', `/api/user/${user.id}/usage`)
    expect(answer.json.message).toBe('无效的参数')
  })

  it('sums what was paid for calls that were left before the first byte', async () => {
    const user = await site.person(1, 100_000)
    const start = site.state.now
    for (const [daysAgo, quota, aborted] of [
      [40, 9, true],
      [2, 30, true],
      [2, 5, false],
      [0, 20, true],
    ] as const) {
      site.state.now = start - daysAgo * day
      await site.charge(user, quota, 'gpt-4o', aborted ? { aborted } : {})
    }
    site.state.now = start
    await site.ledger.flush()
    const from = (start - 29 * day) / 1000
    const { aborted } = await data(admin, `/api/user/${user.id}/usage?start_timestamp=${from}`)
    expect(aborted).toEqual({ count: 2, quota: 50 })
  })

  it('lists invited users, newest first, cancelled ones marked', async () => {
    const inviter = await site.person(1)
    const [one, two] = [await site.person(1), await site.person(1)]
    await set(one.id, { inviter_id: inviter.id, deleted_at: 1 })
    await set(two.id, { inviter_id: inviter.id })
    expect(await data(admin, `/api/user/${inviter.id}/invitees?page_size=1&p=2`)).toEqual({
      items: [expect.objectContaining({ id: one.id, username: one.username, DeletedAt: '1970-01-01T00:00:01.000Z' })],
      total: 2,
      page: 2,
      page_size: 1,
    })
    expect(await data(admin, `/api/user/${two.id}/invitees`)).toMatchObject({ items: [], total: 0 })
  })

  it('shows living sessions without what would let anybody use them, and ends them all', async () => {
    const user = await site.person(1)
    const later = site.state.now / 1000 + 600
    await session(user.id, later)
    await session(user.id, later)
    const { text, json } = await admin.call('GET', `/api/user/${user.id}/sessions`)
    expect(json.data).toMatchObject({ total: 2 })
    expect(text).not.toContain('hash')
    expect((json.data as { items: { user_agent: string }[] }).items[0]?.user_agent).toBe(`Browser ${sessions}`)
    expect((await admin.call('DELETE', `/api/user/${user.id}/sessions`)).json).toEqual({ success: true, message: '' })
    expect(await data(admin, `/api/user/${user.id}/sessions`)).toMatchObject({ total: 0, items: [] })
    expect(site.ended).toEqual([user.id])
    const trail = site.database.query.selectFrom('audit').selectAll().where('object_id', '=', String(user.id))
    expect(await trail.where('action', '=', 'user.end_sessions').execute()).toMatchObject([
      { actor_id: admin.id, actor_name: 'admin', object: 'user', before: '{"sessions":2}', after: '{"sessions":0}' },
    ])
  })

  it('answers exactly what the contract says', async () => {
    const user = await site.person(1, 300)
    const invited = await site.person(1)
    await set(invited.id, { inviter_id: user.id })
    await site.tokens.create({ ...user, group: 'default', ip: '' }, { ...newToken, name: 'one' })
    await session(user.id, site.state.now / 1000 + 60)
    await site.charge(user, 5)
    await site.ledger.flush()
    for (const { path, data: shape } of [
      getUserOverview,
      listUserLedger,
      listUserTokens,
      getUserUsage,
      listInvitees,
      listUserSessions,
    ]) {
      const answer = await data(admin, `${path.replace(':id', String(user.id))}?start_timestamp=1`)
      expect(shape?.parse(answer)).toEqual(answer)
      if ('items' in answer) expect(answer.items).not.toEqual([])
    }
  })

  describe('access', () => {
    const parts = [
      ['GET', 'overview'],
      ['GET', 'ledger'],
      ['GET', 'tokens'],
      ['GET', 'usage?start_timestamp=1'],
      ['GET', 'invitees'],
      ['GET', 'sessions'],
      ['DELETE', 'sessions'],
    ] as const

    it.each(parts)('%s %s is there for those above, and for root', async (method, part) => {
      const [user, otherUser, otherAdmin] = [await site.person(1), await site.person(1), await site.person(10)]
      const cases: [TestUser, TestUser, string | undefined][] = [
        [admin, user, undefined],
        [root, user, undefined],
        [root, admin, undefined],
        [root, root, undefined],
        [admin, admin, 'user_read_denied'],
        [admin, otherAdmin, 'user_read_denied'],
        [admin, root, 'user_read_denied'],
        [user, otherUser, 'permission_denied'],
        [user, user, 'permission_denied'],
      ]
      for (const [caller, target, code] of cases) {
        const { json } = await caller.call(method, `/api/user/${target.id}/${part}`)
        expect({ who: caller.username, target: target.username, code: json.code }).toEqual({
          who: caller.username,
          target: target.username,
          code,
        })
        expect(json.data === undefined || code === undefined).toBe(true)
      }
      expect((await admin.call(method, `/api/user/999999/${part}`)).json.message).toBe('用户不存在')
      expect((await admin.call(method, `/api/user/0/${part}`)).json.message).toBe('无效的参数')
    })
  })
})
