import { beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../../db/database.ts'
import { describeEachEngine } from '../../db/test-databases.ts'
import { openConsole, rootPassword } from './testing-accounts.ts'

type Console = Awaited<ReturnType<typeof openConsole>>

const wrong = '用户名或密码错误，或用户已被封禁'
const hour = 3_600_000
const day = 24 * hour

describeEachEngine('accounts', (open) => {
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

  describe('signing in', () => {
    it('answers the user and a cookie that no script can read', async () => {
      const username = name()
      await site.users.create({ username, password: 'a good password', displayName: 'Ann', role: 1, quota: 5 })
      const answer = await site.login(` ${username} `, 'a good password')
      expect(answer.json).toMatchObject({
        success: true,
        data: {
          username,
          display_name: 'Ann',
          role: 1,
          status: 1,
          group: 'default',
          quota: 5,
          default_password: false,
        },
      })
      expect(answer.text).not.toContain('argon2')
      expect(answer.headers.get('set-cookie')).toMatch(
        /^session=[A-Za-z0-9]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/,
      )
      expect((await stored(username)).last_login_time).toBe(site.state.now / 1000)
    })

    it('takes the e-mail address too, unless it belongs to several users', async () => {
      const [one, two, three] = [name(), name(), name()]
      for (const username of [one, two, three]) {
        await site.users.create({ username, password: 'a good password', displayName: '', role: 1, quota: 0 })
      }
      const mailed = (username: string, email: string) =>
        database.query.updateTable('users').set({ email }).where('username', '=', username).execute()
      await mailed(one, 'one@example.com')
      await mailed(two, 'both@example.com')
      await mailed(three, 'both@example.com')
      expect((await site.login('one@example.com', 'a good password')).json.data).toMatchObject({ username: one })
      expect((await site.login('both@example.com', 'a good password')).json.message).toBe(wrong)
    })

    it('stores neither the password nor the session id', async () => {
      const username = name()
      const { cookie } = await site.person(username, 1)
      expect((await stored(username)).password).toMatch(/^\$argon2id\$/)
      const rows = await database.query.selectFrom('sessions').selectAll().execute()
      expect(JSON.stringify(rows)).not.toContain(cookie.replace('session=', ''))
    })

    it.each([
      ['a wrong password', 'root', 'wrong password', wrong],
      ['an unknown user', 'nobody', rootPassword, wrong],
      ['an empty name', '', 'x', '无效的参数'],
      ['an empty password', 'root', '', '无效的参数'],
      ['a blank name', '  ', 'x', '用户名或密码为空'],
    ])('refuses %s', async (_, username, password, message) => {
      const answer = await site.login(username, password, { from: '10.1.1.1' })
      expect([answer.status, answer.json.success, answer.json.message]).toEqual([200, false, message])
      expect(answer.headers.get('set-cookie')).toBeNull()
    })

    it.each([undefined, 'no json', { username: 'root' }, { username: 1, password: 2 }])(
      'refuses the malformed body %j',
      async (body) => {
        const answer = await site.call('POST', '/api/user/login', { body, from: '10.1.1.2' })
        expect(answer.json.message).toBe('无效的参数')
      },
    )

    it.each([
      ['disabled', { status: 2 }],
      ['retired', { status: 3 }],
      ['cancelled', { deleted_at: 1 }],
    ])('refuses a %s user with the same words as a wrong password', async (_, change) => {
      const username = name()
      await site.users.create({ username, password: 'a good password', displayName: '', role: 1, quota: 0 })
      await database.query.updateTable('users').set(change).where('username', '=', username).execute()
      expect((await site.login(username, 'a good password', { from: '10.1.1.3' })).json.message).toBe(wrong)
    })

    it('is closed to everybody when the option says so', async () => {
      site.state.passwordLogin = false
      const answer = await site.login('root', rootPassword, { from: '10.1.1.4' })
      site.state.passwordLogin = true
      expect(answer.json.message).toBe('管理员关闭了密码登录')
    })

    it('makes guessing slow, for known and unknown names alike', async () => {
      const username = name()
      await site.users.create({ username, password: 'a good password', displayName: '', role: 1, quota: 0 })
      for (const guessed of [username, 'unknown-name']) {
        for (let guess = 0; guess < 5; guess += 1) {
          expect((await site.login(guessed, `guess ${guess}`, { from: `10.2.0.${guess}` })).json.message).toBe(wrong)
        }
        const refused = await site.login(guessed, 'a good password', { from: '10.2.0.9' })
        expect([refused.status, refused.json.code]).toEqual([429, 'login_throttled'])
      }
      site.state.now += 2000
      expect((await site.login(username, 'a good password', { from: '10.2.0.9' })).json.success).toBe(true)
    })

    it('is limited per address by the shared counter of sensitive calls', async () => {
      const from = '10.3.0.1'
      const attempts = Array.from({ length: 20 }, () => site.call('POST', '/api/user/login', { body: {}, from }))
      await Promise.all(attempts)
      const refused = await site.login('root', rootPassword, { from })
      expect([refused.status, refused.text]).toEqual([429, ''])
    })

    it('gives a new session id and ends the one the browser came with', async () => {
      const before = await site.person(name(), 1)
      const { cookie } = before
      const again = await site.login('root', rootPassword, { headers: { cookie }, from: '10.1.1.5' })
      expect(again.headers.get('set-cookie')).not.toContain(cookie)
      expect((await before.call('GET', '/api/user/self')).status).toBe(401)
    })
  })

  describe('a session', () => {
    it('tells who one is, and null to strangers', async () => {
      const username = name()
      const { cookie } = await site.person(username, 1)
      const known = await site.call('GET', '/api/session', { headers: { cookie } })
      expect(known.json.data).toMatchObject({ username, default_password: false })
      expect((await site.call('GET', '/api/session')).json).toEqual({ success: true, message: '', data: null })
      const stale = await site.call('GET', '/api/session', { headers: { cookie: 'session=unknown' } })
      expect(stale.json.data).toBeNull()
    })

    it('is over after logging out, wherever its cookie was copied to', async () => {
      const user = await site.person(name(), 1)
      const answer = await user.call('GET', '/api/user/logout')
      expect(answer.json).toEqual({ success: true, message: '' })
      expect(answer.headers.get('set-cookie')).toMatch(/^session=; Max-Age=0/)
      expect((await user.call('GET', '/api/user/self')).status).toBe(401)
      expect((await site.call('GET', '/api/user/logout')).json.success).toBe(true)
    })

    it('lives for thirty days after its last use, and its cookie with it', async () => {
      const user = await site.person(name(), 1)
      expect((await user.call('GET', '/api/user/self')).headers.get('set-cookie')).toBeNull()
      site.state.now += 29 * day
      const used = await user.call('GET', '/api/user/self')
      expect(used.headers.get('set-cookie')).toContain(`${user.cookie}; Max-Age=2592000`)
      site.state.now += 29 * day
      expect((await user.call('GET', '/api/user/self')).json.success).toBe(true)
      site.state.now += 31 * day
      expect((await user.call('GET', '/api/user/self')).status).toBe(401)
      await site.sessions.purge()
      const left = await database.query.selectFrom('sessions').selectAll().where('user_id', '=', user.id).execute()
      expect(left).toEqual([])
    })

    it('follows role, group and name of the user at once', async () => {
      const user = await site.person(name(), 10)
      expect((await user.call('GET', '/api/user/')).json.success).toBe(true)
      await database.query.updateTable('users').set({ role: 1, group: 'vip' }).where('id', '=', user.id).execute()
      expect((await user.call('GET', '/api/user/')).json.message).toBe('无权进行此操作，权限不足')
      const [, sessionId = ''] = user.cookie.split('=')
      expect((await site.callers.bySession(sessionId))?.caller).toMatchObject({ role: 1, group: 'vip' })
    })

    it('ends for the rest of the world when a user is cancelled', async () => {
      const user = await site.person(name(), 1)
      await database.query.updateTable('users').set({ deleted_at: 1 }).where('id', '=', user.id).execute()
      expect((await user.call('GET', '/api/user/self')).status).toBe(401)
    })
  })

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
      const trail = await database.query.selectFrom('audit').selectAll().where('object_id', '=', String(user.id)).execute()
      expect(trail).toMatchObject([{ action: 'user.update', actor_id: user.id, before: '{"password":"***"}' }])
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
