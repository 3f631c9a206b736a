import { beforeAll, describe, expect, it } from 'vitest'
import { describeEachEngine } from '../../../test/support/db/databases.ts'

import { openUserSite, type UserSite, userHelpers } from '../../../test/support/features/users.ts'

describeEachEngine('making and changing users', (open) => {
  let site: UserSite['site']
  let root: UserSite['root']
  let admin: UserSite['admin']
  const { entriesOf, made, name, page, set, stored, trailOf } = userHelpers(() => ({ site, root, admin }))

  beforeAll(async () => {
    const opened = await openUserSite(await open())
    site = opened.site
    root = opened.root
    admin = opened.admin
  })

  describe('a new user', () => {
    it('is an ordinary one with the quota that new users get, through the ledger', async () => {
      site.state.newUserQuota = 700
      site.notes.length = 0
      const username = name()
      const answer = await admin.call('POST', '/api/user/', {
        username: ` ${username} `,
        password: 'a good password',
        display_name: '',
        role: 1,
        quota: 5_000_000,
        group: 'vip',
      })
      site.state.newUserQuota = 0
      expect(answer.json).toEqual({ success: true, message: '', data: { id: expect.any(Number) } })
      const { items } = await page(`/api/user/search?keyword=${username}`)
      expect(items).toMatchObject([
        { username, display_name: username, role: 1, status: 1, group: 'default', quota: 700 },
      ])
      const id = items[0]?.id ?? 0
      expect(await entriesOf(id)).toMatchObject([{ amount: 700, reason: 'opening' }])
      expect(site.notes).toEqual([{ userId: id, username, type: 4, content: '新用户注册赠送 700 点额度' }])
      expect(await trailOf(id)).toMatchObject([{ action: 'user.create', actor_name: 'admin' }])
      expect((await stored(id)).aff_code).toMatch(/^[A-Za-z0-9]{4}$/)
      expect((await site.signIn(username, 'a good password')).id).toBe(id)
    })

    it('can start in a group and with a balance of its own, none included', async () => {
      site.state.newUserQuota = 700
      for (const quota of [2500, 0]) {
        const username = name()
        const body = { username, password: 'a good password', opening: { group: 'vip', quota } }
        const { json } = await admin.call('POST', '/api/user/', body)
        const { id } = json.data as { id: number }
        expect(await stored(id)).toMatchObject({ username, group: 'vip', quota })
        expect((await entriesOf(id)).map(({ amount }) => amount)).toEqual(quota === 0 ? [] : [quota])
      }
      site.state.newUserQuota = 0
      const body = { username: name(), password: 'a good password', opening: { quota: -1 } }
      expect((await admin.call('POST', '/api/user/', body)).json.success).toBe(false)
    })

    it.each([
      [{ username: '', password: 'a good password' }, '无效的参数'],
      [{ username: '   ', password: 'a good password' }, '无效的参数'],
      [{ username: 'fine', password: '' }, '无效的参数'],
      [{ username: 'fine' }, '无效的参数'],
      [{ username: 'fine', password: '1234567' }, '输入不合法：密码长度不得小于 8 位！'],
      [{ username: 'fine', password: 'p'.repeat(65) }, '输入不合法：密码长度不得大于 64 位！'],
      [
        { username: 'far-too-long-a-name', password: 'a good password' },
        '输入不合法：用户名为 1 到 12 个字符，不能包含空格或 @',
      ],
      [{ username: 'a@b', password: 'a good password' }, '输入不合法：用户名为 1 到 12 个字符，不能包含空格或 @'],
      [{ username: 'root', password: 'a good password' }, '用户名已存在，或已注销'],
      [{ username: 'fine', password: 'a good password', role: 10 }, '无法创建权限大于等于自己的用户'],
      [{ username: 'fine', password: 'a good password', role: 100 }, '无法创建权限大于等于自己的用户'],
    ])('is refused for %j', async (body, message) => {
      expect((await admin.call('POST', '/api/user/', body)).json.message).toBe(message)
    })

    it('does not get the name of a cancelled one', async () => {
      const username = name()
      await set(await made(1, 0, username), { deleted_at: 1 })
      const answer = await admin.call('POST', '/api/user/', { username, password: 'a good password' })
      expect(answer.json.message).toBe('用户名已存在，或已注销')
    })

    it('cannot be a second root, even if root creates it', async () => {
      const answer = await root.call('POST', '/api/user/', { username: name(), password: 'a good password', role: 100 })
      expect(answer.json.code).toBe('user_create_denied')
    })
  })

  describe('an edit', () => {
    it('changes what it names and nothing else', async () => {
      const id = await made()
      const before = await stored(id)
      const answer = await admin.call('PUT', '/api/user/', { id, display_name: 'New name', group: 'vip' })
      expect(answer.json).toEqual({ success: true, message: '' })
      expect(await stored(id)).toEqual({ ...before, display_name: 'New name', group: 'vip' })
      expect(await trailOf(id)).toMatchObject([
        {
          action: 'user.update',
          actor_id: admin.id,
          before: JSON.stringify({ display_name: before.display_name, group: 'default' }),
          after: '{"display_name":"New name","group":"vip"}',
        },
      ])
      expect(site.changed.at(-1)).toBe(id)
    })

    it('sets the quota through the ledger and notifies the user', async () => {
      const id = await made(1, 1000)
      site.notes.length = 0
      await admin.call('PUT', '/api/user/', { id, quota: 2500, reason: 'paid in cash' })
      expect((await stored(id)).quota).toBe(2500)
      const entries = await entriesOf(id)
      expect(entries).toMatchObject([{ amount: 1000 }, { amount: 1500, reason: 'adjust' }])
      expect(JSON.parse(entries[1]?.detail ?? '')).toEqual({ by: admin.id, username: 'admin', reason: 'paid in cash' })
      expect(site.notes).toMatchObject([
        { userId: id, type: 3, content: '管理员将用户额度从 1000 点额度修改为 2500 点额度' },
      ])
    })

    it('adjusts the quota by an amount, never below nothing', async () => {
      const id = await made(1, 1000)
      await admin.call('PUT', '/api/user/', { id, quota_delta: 500 })
      await admin.call('PUT', '/api/user/', { id, quota_delta: -1400 })
      expect((await stored(id)).quota).toBe(100)
      const refused = await admin.call('PUT', '/api/user/', { id, quota_delta: -101 })
      expect(refused.json.message).toBe('余额不足，无法扣减')
      expect((await stored(id)).quota).toBe(100)
    })

    it('loses no adjustment that comes at the same moment', async () => {
      const id = await made(1, 0)
      await Promise.all(Array.from({ length: 10 }, () => admin.call('PUT', '/api/user/', { id, quota_delta: 7 })))
      expect((await stored(id)).quota).toBe(70)
    })

    it('writes nothing when the quota stays', async () => {
      const id = await made(1, 1000)
      site.notes.length = 0
      await admin.call('PUT', '/api/user/', { id, quota: 1000, quota_delta: undefined })
      await admin.call('PUT', '/api/user/', { id, quota_delta: 0 })
      expect(site.notes).toEqual([])
      expect(await entriesOf(id)).toHaveLength(1)
    })

    it('that sends a whole user back leaves alone what is as it was, and no trace', async () => {
      const id = await made()
      await set(id, { username: 'an older, longer name', display_name: 'far longer than names may be today' })
      const before = await stored(id)
      const whole = (await admin.call('GET', `/api/user/${id}`)).json.data as object
      expect((await admin.call('PUT', '/api/user/', whole)).json).toEqual({ success: true, message: '' })
      expect(await stored(id)).toEqual(before)
      expect(await trailOf(id)).toEqual([])
    })

    it('of a whole user does not restore what was spent since it was read', async () => {
      const id = await made(1, 1000)
      const whole = (await admin.call('GET', `/api/user/${id}`)).json.data as object
      await set(id, { quota: 400, used_quota: 600 })
      await admin.call('PUT', '/api/user/', { ...whole, display_name: 'renamed' })
      expect(await stored(id)).toMatchObject({ quota: 400, display_name: 'renamed' })
      await admin.call('PUT', '/api/user/', { ...whole, quota: 1500 })
      expect(await stored(id)).toMatchObject({ quota: 900, used_quota: 600 })
    })

    it('adjusts once, however often it is repeated', async () => {
      const id = await made(1, 0)
      const body = { id, quota_delta: 40, reason: 'cash', adjustment: 'one-of-a-kind' }
      await admin.call('PUT', '/api/user/', body)
      site.notes.length = 0
      expect((await admin.call('PUT', '/api/user/', body)).json.success).toBe(true)
      expect((await stored(id)).quota).toBe(40)
      expect(site.notes).toEqual([])
      expect(await trailOf(id)).toHaveLength(1)
    })

    it('of the password ends the sessions of the user', async () => {
      const username = name()
      const user = await site.person(username, 1)
      await admin.call('PUT', '/api/user/', { id: user.id, password: 'another password' })
      expect((await user.call('GET', '/api/user/self')).status).toBe(401)
      expect((await site.signIn(username, 'another password')).id).toBe(user.id)
      expect(JSON.stringify(await trailOf(user.id))).not.toContain('argon2')
    })

    it.each([
      [() => ({ display_name: 'x' }), '无效的参数'],
      [() => ({ id: 0, display_name: 'x' }), '无效的参数'],
      [() => ({ id: 999_999, display_name: 'x' }), '用户不存在'],
      [() => ({ id: admin.id, display_name: 'x' }), '无权更新同权限等级或更高权限等级的用户信息'],
      [() => ({ id: root.id, display_name: 'x' }), '无权更新同权限等级或更高权限等级的用户信息'],
    ])('is refused for a target an admin may not touch (%#)', async (body, message) => {
      expect((await admin.call('PUT', '/api/user/', body())).json.message).toBe(message)
    })

    it.each([
      [{ role: 10 }, '无权将其他用户权限等级提升到大于等于自己的权限等级'],
      [{ group: 'nowhere' }, '分组 nowhere 不存在'],
      [{ username: 'root' }, '用户名已存在，或已注销'],
      [{ username: 'b ad' }, '输入不合法：用户名为 1 到 12 个字符，不能包含空格或 @'],
      [{ display_name: 'x'.repeat(21) }, '输入不合法：显示名称最多 20 个字符'],
      [{ password: 'short' }, '输入不合法：密码长度不得小于 8 位！'],
      [{ quota: -5 }, '无效的参数'],
      [{ quota: 1.5 }, '无效的参数'],
      [{ quota: 5, quota_delta: 5 }, '无效的参数'],
      [{ quota: 2 ** 60 }, '无效的参数'],
    ])('is refused as a whole for %j', async (body, message) => {
      const id = await made(1, 1000)
      const before = await stored(id)
      const answer = await admin.call('PUT', '/api/user/', {
        quota_delta: 'quota' in body ? undefined : 3,
        ...body,
        id,
      })
      expect(answer.json.message).toBe(message)
      expect(await stored(id)).toEqual(before)
    })

    it('never writes a role', async () => {
      const id = await made()
      expect((await root.call('PUT', '/api/user/', { id, role: 100 })).json.success).toBe(true)
      expect((await stored(id)).role).toBe(1)
    })
  })
})
