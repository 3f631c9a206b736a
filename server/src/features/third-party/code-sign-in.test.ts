import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { describeEachEngine } from '../../../test/support/db/databases.ts'
import {
  type AuthorizationServer,
  startAuthorizationServer,
} from '../../../test/support/features/authorization-server.ts'
import { openThirdPartySite, siteUrl, type ThirdPartySite } from '../../../test/support/features/third-party.ts'

const wrongState = { status: 403, message: 'state is empty or not same' }

describeEachEngine('signing in with a code from elsewhere', (open) => {
  let provider: AuthorizationServer
  let site: ThirdPartySite
  beforeAll(async () => {
    provider = await startAuthorizationServer()
    site = await openThirdPartySite(await open(), provider)
  })
  afterAll(async () => {
    await site.close()
    await provider.close()
  })

  let people = 1000
  beforeEach(() => {
    people += 1
    provider.state.person = {
      id: people,
      login: `cat${people}`,
      name: 'The Octocat',
      sub: `sub-${people}`,
      username: 'cat',
    }
    provider.state.emails = []
    provider.state.failures.clear()
    provider.state.spoil = undefined
    site.state.newUserQuota = 0
    site.state.invitationQuotas = { invitee: 0, inviter: 0 }
  })

  const refusal = ({ status, json }: { status: number; json: Readonly<Record<string, unknown>> }) => ({
    status,
    message: json.message,
  })

  describe.each(['github', 'discord', 'linuxdo', 'oidc'])('%s', (name) => {
    it('makes a user at the first time and signs the same one in afterwards', async () => {
      const first = await site.browser().go(name)
      const user = first.json.data as { id: number; username: string; display_name: string; role: number }
      expect(first.json).toMatchObject({ success: true, message: '' })
      expect(user.username).toMatch(new RegExp(`^${name}_[a-z0-9]{4,7}$`))
      expect(user).toMatchObject({ display_name: 'The Octocat', role: 1 })
      expect(first.headers.get('set-cookie')).toMatch(/^session=/)
      const again = await site.browser().go(name)
      expect((again.json.data as { id: number }).id).toBe(user.id)
      expect((await site.stored(user.id)).password).toBe('')
    })

    it('sends the browser back to the configured address, never to one that the caller names', async () => {
      const browser = site.browser()
      const { url } = await browser.start(name)
      expect(new URL(url).searchParams.get('redirect_uri')).toBe(`${siteUrl}/oauth/${name}`)
      const headers = { host: 'evil.test', origin: 'http://evil.test', 'x-forwarded-host': 'evil.test' }
      const other = await browser.call('POST', `/api/oauth/${name}/login`, { body: {}, headers })
      expect(String((other.json.data as { url: string }).url)).toContain(encodeURIComponent(siteUrl))
    })

    it('binds to the signed-in user, says so, and signs that user in from then on', async () => {
      const member = await site.member(`m${name}`)
      const bound = await member.go(name, 'bind')
      expect(bound.json).toEqual({ success: true, message: 'bind' })
      const later = await site.browser().go(name)
      expect((later.json.data as { id: number }).id).toBe(member.userId)
    })

    it('accepts a state once, in the browser it was made for', async () => {
      const browser = site.browser()
      const { url } = await browser.start(name)
      const { query } = await provider.agree(url)
      expect(refusal(await site.browser().call('GET', `/api/oauth/${name}?${query}`))).toEqual(wrongState)
      const other = site.browser()
      await other.start(name)
      expect(refusal(await other.call('GET', `/api/oauth/${name}?${query}`))).toEqual(wrongState)
      expect((await browser.call('GET', `/api/oauth/${name}?${query}`)).json.success).toBe(true)
      expect(refusal(await browser.call('GET', `/api/oauth/${name}?${query}`))).toEqual(wrongState)
      const { url: fresh } = await browser.start(name)
      const state = new URL(fresh).searchParams.get('state') ?? ''
      const replayed = await browser.call(
        'GET',
        `/api/oauth/${name}?${new URLSearchParams({ code: query.get('code') ?? '', state })}`,
      )
      expect(replayed.json.success).toBe(false)
    })

    it('refuses a missing, an invented and an old state, and one made for another provider', async () => {
      const browser = site.browser()
      const { url } = await browser.start(name)
      const { query } = await provider.agree(url)
      const code = query.get('code') ?? ''
      const call = (state: string) => browser.call('GET', `/api/oauth/${name}?${new URLSearchParams({ code, state })}`)
      expect(refusal(await call(''))).toEqual(wrongState)
      expect(refusal(await call('a'.repeat(43)))).toEqual(wrongState)
      const another = name === 'github' ? 'linuxdo' : 'github'
      const swapped = await browser.start(another)
      expect(refusal(await call(swapped.state))).toEqual(wrongState)
      site.state.now += 601_000
      expect(refusal(await call(query.get('state') ?? ''))).toEqual(wrongState)
    })

    it('does not let a user bind with a state that another user began', async () => {
      const member = await site.member(`v${name}`)
      const { url } = await member.start(name, 'bind')
      const { query } = await provider.agree(url)
      const attacker = await site.member(`a${name}`)
      member.cookies.set('session', attacker.cookies.get('session') ?? '')
      expect(refusal(await member.call('GET', `/api/oauth/${name}?${query}`))).toEqual(wrongState)
    })

    it('answers the exact error text when it is off', async () => {
      const flag =
        {
          github: 'GitHubOAuthEnabled',
          discord: 'DiscordOAuthEnabled',
          linuxdo: 'LinuxDOOAuthEnabled',
          oidc: 'oidc.enabled',
        }[name] ?? ''
      const called = { github: 'GitHub', discord: 'Discord', linuxdo: 'Linux DO', oidc: 'OIDC' }[name]
      const browser = site.browser()
      const { url } = await browser.start(name)
      await site.setOption(flag, 'false')
      const { query } = await provider.agree(url)
      const refused = await browser.call('GET', `/api/oauth/${name}?${query}`)
      await site.setOption(flag, 'true')
      expect(refused.json.message).toBe(`管理员未开启通过 ${called} 登录以及注册`)
    })

    it('passes on the provider’s reason for a refusal, but only to the browser that was sent there', async () => {
      const browser = site.browser()
      const { state } = await browser.start(name)
      const query = new URLSearchParams({ state, error: 'access_denied', error_description: 'The user said no' })
      expect((await browser.call('GET', `/api/oauth/${name}?${query}`)).json.message).toBe('The user said no')
      expect(refusal(await browser.call('GET', `/api/oauth/${name}?${query}`))).toEqual(wrongState)
    })

    it('refuses banned and cancelled users', async () => {
      const first = await site.browser().go(name)
      const { id } = first.json.data as { id: number }
      const change = (to: object) => site.database.query.updateTable('users').set(to).where('id', '=', id).execute()
      await change({ status: 2 })
      expect((await site.browser().go(name)).json.message).toBe('用户已被封禁')
      await change({ status: 1, deleted_at: 1 })
      expect((await site.browser().go(name)).json.message).toBe('用户已注销')
    })

    it('makes no user where registration is closed or the site is for its owner only', async () => {
      await site.setOption('RegisterEnabled', 'false')
      const closed = await site.browser().go(name)
      await site.setOption('RegisterEnabled', 'true')
      await site.setOption('SelfUseModeEnabled', 'true')
      const own = await site.browser().go(name)
      await site.setOption('SelfUseModeEnabled', 'false')
      expect([closed.json.message, own.json.message]).toEqual(['管理员关闭了新用户注册', '管理员关闭了新用户注册'])
      expect(closed.headers.get('set-cookie')).toBeNull()
    })

    it('gives what new users and their inviters get', async () => {
      const inviter = await site.member(`i${name}`)
      const { aff_code } = await site.stored(inviter.userId)
      site.state.newUserQuota = 500
      site.state.invitationQuotas = { invitee: 70, inviter: 9 }
      const made = await site.browser().go(name, 'login', aff_code)
      const { id } = made.json.data as { id: number }
      expect(await site.stored(id)).toMatchObject({ quota: 570, inviter_id: inviter.userId })
      expect(await site.stored(inviter.userId)).toMatchObject({ aff_count: 1, aff_quota: 9 })
    })

    it('makes one user of two first sign-ins at the same moment', async () => {
      const browsers = [site.browser(), site.browser(), site.browser()]
      const answers = await Promise.all(browsers.map((browser) => browser.go(name)))
      const ids = answers.map(({ json }) => (json.data as { id: number } | undefined)?.id)
      expect(new Set(ids).size).toBe(1)
      expect(ids[0]).toBeTypeOf('number')
    })

    it('refuses an account that is linked to another user', async () => {
      await site.browser().go(name)
      const member = await site.member(`t${name}`)
      const called = { github: 'GitHub', discord: 'Discord', linuxdo: 'Linux DO', oidc: 'OIDC' }[name]
      expect((await member.go(name, 'bind')).json.message).toBe(`该 ${called} 账户已被绑定`)
    })

    it('asks for the second factor where there is one', async () => {
      const first = await site.browser().go(name)
      const { id } = first.json.data as { id: number }
      const row = { user_id: id, secret_cipher: '', confirmed_time: 1, last_step: 0, created_time: 1 }
      await site.database.query.insertInto('second_factors').values(row).execute()
      const again = await site.browser().go(name)
      expect(again.json.data).toEqual({ require_2fa: true })
      expect(again.headers.getSetCookie().some((text) => text.startsWith('session='))).toBe(false)
    })
  })

  it('takes the state of clients that write GitHub’s address themselves', async () => {
    const browser = site.browser()
    const begun = await browser.call('GET', '/api/oauth/state?aff=unknown')
    const state = String(begun.json.data)
    expect(state).toMatch(/^[A-Za-z0-9]{43}$/)
    const query = new URLSearchParams({ client_id: 'our client', response_type: 'code', state })
    const back = await provider.agree(`${provider.origin}/authorize?${query}`)
    const oidc = await browser.call('GET', `/api/oauth/oidc?${back.query}`)
    expect(refusal(oidc)).toEqual(wrongState)
    const { data } = (await browser.call('GET', '/api/oauth/state?provider=github')).json
    const again = await provider.agree(
      `${provider.origin}/authorize?${new URLSearchParams({ ...Object.fromEntries(query), state: String(data) })}`,
    )
    expect((await browser.call('GET', `/api/oauth/github?${again.query}`)).json.success).toBe(true)
  })

  it('binds to the signed-in user with such a state', async () => {
    const member = await site.member('wire')
    const { data } = (await member.call('GET', '/api/oauth/state')).json
    const query = new URLSearchParams({ client_id: 'our client', response_type: 'code', state: String(data) })
    const back = await provider.agree(`${provider.origin}/authorize?${query}`)
    expect((await member.call('GET', `/api/oauth/linuxdo?${back.query}`)).json).toEqual({
      success: true,
      message: 'bind',
    })
    const stranger = await site.browser().call('GET', '/api/oauth/state?purpose=bind')
    expect(stranger.status).toBe(401)
  })
})
