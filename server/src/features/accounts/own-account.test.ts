import { beforeAll, describe, expect, it } from 'vitest'
import { describeEachEngine } from '../../../test/support/db/databases.ts'
import { openConsole } from '../../../test/support/features/accounts.ts'
import type { Database } from '../../db/database.ts'

type Console = Awaited<ReturnType<typeof openConsole>>

const hour = 3_600_000

describeEachEngine('users and their own account', (open) => {
  let database: Database
  let site: Console
  let count = 0
  const name = () => {
    count += 1
    return `user${count}`
  }

  beforeAll(async () => {
    database = await open()
    site = await openConsole(database)
  })

  const stored = (username: string) =>
    database.query.selectFrom('users').selectAll().where('username', '=', username).executeTakeFirstOrThrow()

  describe('the own account', () => {
    it('shows everything but password and access token', async () => {
      const username = name()
      const user = await site.person(username, 1)
      await user.call('GET', '/api/user/token')
      const { json } = await user.call('GET', '/api/user/self')
      expect(json.data).toMatchObject({
        id: user.id,
        username,
        password: '',
        access_token: '',
        quota: 1000,
        DeletedAt: null,
      })
      expect(Object.keys(json.data as object).toSorted()).toEqual([
        'DeletedAt',
        'access_token',
        'aff_code',
        'aff_count',
        'aff_history_quota',
        'aff_quota',
        'created_time',
        'display_name',
        'email',
        'github_id',
        'group',
        'id',
        'inviter_id',
        'last_login_time',
        'linux_do_id',
        'oidc_id',
        'password',
        'permissions',
        'quota',
        'request_count',
        'role',
        'setting',
        'status',
        'telegram_id',
        'used_quota',
        'username',
        'verification_code',
        'wechat_id',
      ])
    })

    it('changes names without a password and leaves what is not named', async () => {
      const user = await site.person(name(), 1)
      const renamed = name()
      const answer = await user.call('PUT', '/api/user/self', { username: renamed, display_name: '' })
      expect(answer.json).toEqual({ success: true, message: '' })
      expect(await stored(renamed)).toMatchObject({ id: user.id, quota: 1000, group: 'default' })
      await user.call('PUT', '/api/user/self', { display_name: 'Shown' })
      expect(await stored(renamed)).toMatchObject({ display_name: 'Shown' })
      expect((await user.call('GET', '/api/user/self')).json.success).toBe(true)
      expect(site.changed).toContain(user.id)
    })

    it.each([
      [{ username: 'has space' }, '输入不合法：用户名为 1 到 12 个字符，不能包含空格或 @'],
      [{ username: 'a@b.c' }, '输入不合法：用户名为 1 到 12 个字符，不能包含空格或 @'],
      [{ username: 'thirteenchars' }, '输入不合法：用户名为 1 到 12 个字符，不能包含空格或 @'],
      [{ display_name: 'x'.repeat(21) }, '输入不合法：显示名称最多 20 个字符'],
      [{ username: 'root' }, '用户名已存在，或已注销'],
      [{ username: 5 }, '无效的参数'],
      [{ password: 'new password' }, '原密码错误'],
      [{ password: 'new password', original_password: 'wrong' }, '原密码错误'],
    ])('refuses %j', async (body, message) => {
      const user = await site.person(name(), 1)
      const answer = await user.call('PUT', '/api/user/self', body)
      expect([answer.status, answer.json.message]).toEqual([200, message])
    })

    it('refuses a short password', async () => {
      const username = name()
      const user = await site.person(username, 1)
      const body = { password: 'short', original_password: `${username} password` }
      expect((await user.call('PUT', '/api/user/self', body)).json.message).toBe('输入不合法：密码长度不得小于 8 位！')
    })

    it('changes the password, ends every other session and goes on in a new one', async () => {
      const username = name()
      const user = await site.person(username, 1)
      const elsewhere = await site.signIn(username, `${username} password`)
      const body = { password: 'another password', original_password: `${username} password` }
      const answer = await user.call('PUT', '/api/user/self', body)
      expect(answer.json.success).toBe(true)
      expect((await elsewhere.call('GET', '/api/user/self')).status).toBe(401)
      expect((await user.call('GET', '/api/user/self')).status).toBe(401)
      const cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? ''
      expect((await site.call('GET', '/api/session', { headers: { cookie } })).json.data).toMatchObject({ username })
      expect((await site.signIn(username, 'another password')).id).toBe(user.id)
      const trail = await database.query
        .selectFrom('audit')
        .selectAll()
        .where('object_id', '=', String(user.id))
        .execute()
      expect(trail).toMatchObject([{ action: 'user.update', actor_id: user.id, before: '{"password":"***"}' }])
    })

    it('sets the first password of users from a login provider, soon after they signed in', async () => {
      const username = name()
      const user = await site.person(username, 1)
      await database.query.updateTable('users').set({ password: '' }).where('id', '=', user.id).execute()
      const set = () => user.call('PUT', '/api/user/self', { password: 'a first password' })
      expect((await user.call('GET', '/api/user/self/confirm')).json.data).toMatchObject({ has_password: false })
      const authorization = (await user.call('GET', '/api/user/token')).json.data as string
      const headers = { authorization, 'New-Api-User': String(user.id) }
      const byToken = await site.call('PUT', '/api/user/self', { headers, body: { password: 'a first password' } })
      expect(byToken.json.code).toBe('access_token_not_supported')
      site.state.now += hour
      expect((await set()).json.code).toBe('confirmation_required')
      site.state.now -= hour
      expect((await set()).json.success).toBe(true)
      const again = await site.signIn(username, 'a first password')
      expect((await again.call('GET', '/api/user/self/confirm')).json.data).toMatchObject({ has_password: true })
    })

    it('slows guesses of the current password', async () => {
      const user = await site.person(name(), 1)
      const guess = () => user.call('PUT', '/api/user/self', { password: 'new password', original_password: 'x' })
      // Signing in from elsewhere does not prove this address.
      for (let count = 0; count < 5; count += 1) expect((await guess()).json.code).toBe('original_password_wrong')
      expect((await guess()).json.code).toBe('login_throttled')
      site.state.now += hour
    })
  })

  describe('the system access token', () => {
    it('is shown once, replaces the one before and works with the user-id header', async () => {
      const user = await site.person(name(), 10)
      const first = (await user.call('GET', '/api/user/token')).json.data as string
      const second = (await user.call('GET', '/api/user/token')).json.data as string
      expect(second).toMatch(/^[A-Za-z0-9]{32}$/)
      const withToken = (authorization: string) =>
        site.call('GET', '/api/user/', { headers: { authorization, 'New-Api-User': String(user.id) } })
      expect((await withToken(second)).json.success).toBe(true)
      expect((await withToken(`Bearer ${second}`)).json.success).toBe(true)
      expect((await withToken(first)).json.message).toBe('无权进行此操作，access token 无效')
      const rows = await database.query.selectFrom('users').selectAll().execute()
      expect(JSON.stringify(rows)).not.toContain(second)
    })

    it('stops with its user', async () => {
      const user = await site.person(name(), 1)
      const token = (await user.call('GET', '/api/user/token')).json.data as string
      const ask = () =>
        site.call('GET', '/api/user/self', { headers: { authorization: token, 'New-Api-User': String(user.id) } })
      await database.query.updateTable('users').set({ status: 2 }).where('id', '=', user.id).execute()
      expect((await ask()).json.message).toBe('用户已被封禁')
      await database.query.updateTable('users').set({ deleted_at: 1 }).where('id', '=', user.id).execute()
      expect((await ask()).json.message).toBe('无权进行此操作，access token 无效')
    })

    it('changes the password only with the current one, and gets no session for it', async () => {
      const username = name()
      const user = await site.person(username, 1)
      const authorization = (await user.call('GET', '/api/user/token')).json.data as string
      const answer = await site.call('PUT', '/api/user/self', {
        headers: { authorization, 'New-Api-User': String(user.id) },
        body: { password: 'another password', original_password: `${username} password` },
      })
      expect(answer.json.success).toBe(true)
      expect(answer.headers.get('set-cookie')).toBeNull()
      expect((await user.call('GET', '/api/user/self')).status).toBe(401)
    })
  })
})
