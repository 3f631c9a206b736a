import { beforeAll, describe, expect, it } from 'vitest'
import { describeEachEngine } from '../../../test/support/db/databases.ts'
import { openConsole, rootPassword } from '../../../test/support/features/accounts.ts'
import type { Database } from '../../db/database.ts'

type Console = Awaited<ReturnType<typeof openConsole>>

const wrong = '用户名或密码错误，或用户已被封禁'
const day = 86_400_000

describeEachEngine('signing in and out', (open) => {
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
    ])('refuses a %s user with the same text as a wrong password', async (_, change) => {
      const username = name()
      await site.users.create({ username, password: 'a good password', displayName: '', role: 1, quota: 0 })
      await database.query.updateTable('users').set(change).where('username', '=', username).execute()
      expect((await site.login(username, 'a good password', { from: '10.1.1.3' })).json.message).toBe(wrong)
    })

    it('is closed to all when the option says so', async () => {
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

    it('gives a new session id and ends the one the browser came with', async () => {
      const before = await site.person(name(), 1)
      const { cookie } = before
      const again = await site.login('root', rootPassword, { headers: { cookie }, from: '10.1.1.5' })
      expect(again.headers.get('set-cookie')).not.toContain(cookie)
      expect((await before.call('GET', '/api/user/self')).status).toBe(401)
    })
  })

  describe('a session', () => {
    it('returns the signed-in user, and null to visitors', async () => {
      const username = name()
      const { cookie } = await site.person(username, 1)
      const signedIn = await site.call('GET', '/api/session', { headers: { cookie } })
      expect(signedIn.json.data).toMatchObject({ username, default_password: false })
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
})
