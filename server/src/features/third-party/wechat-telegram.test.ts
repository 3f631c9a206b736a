import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type AuthorizationServer,
  startAuthorizationServer,
} from '../../../test/support/features/authorization-server.ts'
import {
  openThirdPartySite,
  signedByTelegram,
  siteUrl,
  type ThirdPartySite,
} from '../../../test/support/features/third-party.ts'
import type { Database } from '../../db/database.ts'
import { openDatabase } from '../../db/engines/open.ts'
import { migrate } from '../../db/migrate.ts'

/** A browser that another site, or a link in a mail, sent here: it brings cookies and nothing else. */
const led = { headers: { 'new-api-user': '', 'sec-fetch-site': 'none' } }

describe('WeChat and Telegram', () => {
  let database: Database
  let provider: AuthorizationServer
  let site: ThirdPartySite
  beforeAll(async () => {
    provider = await startAuthorizationServer()
    database = await openDatabase({ engine: 'sqlite', url: ':memory:' })
    await migrate(database)
    site = await openThirdPartySite(database, provider)
  })
  afterAll(async () => {
    await site.close()
    await provider.close()
    await database.close()
  })

  const weChatCode = (id: string): string => {
    const code = `code${provider.state.weChatCodes.size + Math.random()}`
    provider.state.weChatCodes.set(code, id)
    return code
  }

  describe('WeChat', () => {
    const signIn = (code: string, more = '') => site.browser().call('GET', `/api/oauth/wechat?code=${code}${more}`)

    it('makes a user of a new id and signs the same one in afterwards, with an invitation', async () => {
      const inviter = await site.member('inviter')
      site.state.invitationQuotas = { invitee: 7, inviter: 3 }
      const first = await signIn(weChatCode('wx-1'), `&aff=${(await site.stored(inviter.userId)).aff_code}`)
      const user = first.json.data as { id: number; username: string; display_name: string }
      expect([user.username, user.display_name]).toEqual([expect.stringMatching(/^wechat_[a-z0-9]{5}$/), 'WeChat User'])
      expect(await site.stored(user.id)).toMatchObject({ wechat_id: 'wx-1', quota: 7, inviter_id: inviter.userId })
      expect(((await signIn(weChatCode('wx-1'))).json.data as { id: number }).id).toBe(user.id)
    })

    it('refuses unknown, used and empty codes', async () => {
      const code = weChatCode('wx-2')
      await signIn(code)
      expect((await signIn(code)).json.message).toBe('验证码错误或已过期')
      expect((await signIn('unknown')).json.message).toBe('验证码错误或已过期')
      expect((await signIn('')).json.message).toBe('无效的参数')
    })

    it('links an account once, and refuses one that another user has linked', async () => {
      const member = await site.member('wxmember')
      const bound = await member.call('GET', `/api/oauth/wechat/bind?code=${weChatCode('wx-3')}`)
      expect(bound.json).toEqual({ success: true, message: '' })
      const other = await site.member('wxother')
      const taken = await other.call('GET', `/api/oauth/wechat/bind?code=${weChatCode('wx-3')}`)
      expect(taken.json.message).toBe('该微信账号已被绑定')
    })

    it('answers 401 without a session, and the exact error text when it is off or down', async () => {
      expect((await site.browser().call('GET', '/api/oauth/wechat/bind?code=1')).status).toBe(401)
      provider.state.failures.set('/api/wechat/user', undefined)
      expect((await signIn('1')).json.message).toBe('无法连接至微信服务器，请稍后重试！')
      provider.state.failures.clear()
      await site.setOption('WeChatAuthEnabled', 'false')
      expect((await signIn('1')).json.message).toBe('管理员未开启通过微信登录以及注册')
      await site.setOption('WeChatAuthEnabled', 'true')
    })

    it('cannot be reached through a link from another site', async () => {
      const member = await site.member('wxvictim')
      for (const path of ['', '/bind']) {
        const answer = await member.call('GET', `/api/oauth/wechat${path}?code=${weChatCode('wx-evil')}`, led)
        expect([answer.status, answer.json.message]).toEqual([403, 'state is empty or not same'])
      }
    })
  })

  describe('Telegram', () => {
    const now = () => Math.floor(site.state.now / 1000)
    let ids = 100
    const fields = (change: Record<string, string> = {}): Record<string, string> => ({
      id: String(ids),
      first_name: 'Tele',
      username: 'tele',
      auth_date: String(now()),
      ...change,
    })
    const login = (query: string) => site.browser().call('GET', `/api/oauth/telegram/login?${query}`)
    /** A user with a linked Telegram account of a new id. */
    const linked = async (username: string) => {
      ids += 1
      const member = await site.member(username)
      const query = signedByTelegram(fields({ first_name: 'Linking' }))
      const answer = await member.call('GET', `/api/oauth/telegram/bind?${query}`)
      return { member, answer }
    }

    it('links and goes to the settings, and signs in from then on', async () => {
      const { member, answer } = await linked('tg1')
      expect([answer.status, answer.headers.get('location'), answer.text]).toEqual([302, '/setting', ''])
      const entered = await login(signedByTelegram(fields({ lang: 'zh' })))
      expect((entered.json.data as { id: number }).id).toBe(member.userId)
    })

    it('never registers', async () => {
      ids += 1
      expect((await login(signedByTelegram(fields()))).json.message).toBe('该 Telegram 账户未绑定')
    })

    it.each([
      ['another bot', () => signedByTelegram(fields(), '4242:another')],
      ['a changed id', () => signedByTelegram(fields()).replace(`id=${ids}`, `id=${ids - 1}`)],
      ['no signature', () => String(new URLSearchParams(fields()))],
      ['a short signature', () => `${new URLSearchParams(fields())}&hash=ab`],
      ['yesterday', () => signedByTelegram(fields({ auth_date: String(now() - 86_401) }))],
      ['tomorrow', () => signedByTelegram(fields({ auth_date: String(now() + 3600) }))],
      ['no time', () => signedByTelegram(fields({ auth_date: '' }))],
    ])('refuses %s', async (_, query) => {
      await linked(`tg${ids}`)
      expect((await login(query())).json.message).toBe('无效的请求')
    })

    it('counts a signature once, even at the same moment', async () => {
      await linked('tgonce')
      const query = signedByTelegram(fields())
      const answers = await Promise.all([login(query), login(query), login(query)])
      expect(answers.filter(({ json }) => json.success)).toHaveLength(1)
      expect((await login(query)).json.message).toBe('无效的请求')
      const upper = query.replace(/hash=(\w+)/, (_, hash: string) => `hash=${hash.toUpperCase()}`)
      expect((await login(upper)).json.message).toBe('无效的请求')
    })

    it('refuses an account that another user has linked, cancelled users, and binding without a session', async () => {
      const { member } = await linked('tgowner')
      const other = await site.member('tgother')
      const taken = await other.call('GET', `/api/oauth/telegram/bind?${signedByTelegram(fields())}`)
      expect(taken.json.message).toBe('该 Telegram 账户已被绑定')
      expect((await site.browser().call('GET', '/api/oauth/telegram/bind?id=1')).status).toBe(401)
      await site.database.query.updateTable('users').set({ deleted_at: 1 }).where('id', '=', member.userId).execute()
      const late = signedByTelegram(fields({ auth_date: String(now() - 1) }))
      expect((await login(late)).json.message).toBe('用户已注销')
    })

    it('answers the exact error text when it is off', async () => {
      await site.setOption('TelegramOAuthEnabled', 'false')
      const answer = await login(signedByTelegram(fields()))
      await site.setOption('TelegramOAuthEnabled', 'true')
      expect(answer.json.message).toBe('管理员未开启通过 Telegram 登录以及注册')
    })

    it('asks a browser that was led here for a state of its own', async () => {
      const { member } = await linked('tgled')
      const victim = await site.member('tgvictim')
      ids += 1
      const call = (browser: typeof member, path: string, more: object = {}) =>
        browser.call(
          'GET',
          `/api/oauth/telegram/${path}?${signedByTelegram(fields())}&${new URLSearchParams({ ...more })}`,
          led,
        )
      for (const path of ['login', 'bind']) {
        expect((await call(victim, path)).json.message).toBe('state is empty or not same')
      }
      const { state, url } = await member.start('telegram', 'bind')
      expect((await call(victim, 'bind', { state })).status).toBe(403)
      expect((await call(member, 'bind', { state })).status).toBe(302)
      const query = new URL(url).searchParams
      expect(query.get('bot_id')).toBe('4242')
      expect([query.get('origin'), query.get('return_to')]).toEqual([
        siteUrl,
        `${siteUrl}/oauth/telegram?state=${state}`,
      ])
      const begunLogin = await member.start('telegram')
      expect((await call(member, 'bind', { state: begunLogin.state })).status).toBe(403)
    })
  })
})
