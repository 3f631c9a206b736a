import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  type AuthorizationServer,
  startAuthorizationServer,
} from '../../../test/support/features/authorization-server.ts'
import { openThirdPartySite, type ThirdPartySite } from '../../../test/support/features/third-party.ts'
import type { Database } from '../../db/database.ts'
import { openDatabase } from '../../db/engines/open.ts'
import { migrate } from '../../db/migrate.ts'

const down = (name: string): string => `无法连接至 ${name} 服务器，请稍后重试！`

describe('what providers say', () => {
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

  let people = 5000
  beforeEach(() => {
    people += 1
    Object.assign(provider.state, {
      person: { id: people, login: `cat${people}`, name: 'Cat', sub: `sub-${people}` },
      emails: [],
      spoil: undefined,
      tokenWays: ['client_secret_basic', 'client_secret_post'],
      ways: [],
      asked: [],
    })
    provider.state.failures.clear()
  })

  const userOf = async (name: string) => {
    const answer = await site.browser().go(name)
    return site.stored((answer.json.data as { id: number }).id)
  }
  const messageOf = async (name: string) => (await site.browser().go(name)).json.message
  /** The way to a provider, with something changed in between. */
  const goChanged = async (name: string, change: (address: URL) => void) => {
    const browser = site.browser()
    const address = new URL((await browser.start(name)).url)
    change(address)
    const { query } = await provider.agree(address.href)
    return browser.call('GET', `/api/oauth/${name}?${query}`)
  }
  const user = (username: string, change: object) =>
    site.users.create({ username, displayName: username, role: 1, quota: 0 }).then(async (id) => {
      await site.database.query.updateTable('users').set(change).where('id', '=', id).execute()
      return id
    })

  it.each(['github', 'oidc'])('proves to %s with PKCE that this server began the sign-in', async (name) => {
    const browser = site.browser()
    const { url } = await browser.start(name)
    const sent = new URL(url).searchParams
    expect([sent.get('code_challenge_method'), sent.get('code_challenge')?.length]).toEqual(['S256', 43])
    expect(url).not.toContain('code_verifier')
    const stolen = await goChanged(name, (address) => address.searchParams.set('code_challenge', 'x'.repeat(43)))
    expect(stolen.json.success).toBe(false)
  })

  it.each(['github', 'linuxdo', 'oidc'])('cannot use a code of %s that was given for another address', async (name) => {
    const { json } = await goChanged(name, (address) =>
      address.searchParams.set('redirect_uri', `https://gate.test/oauth/${name}/elsewhere`),
    )
    expect(json.success).toBe(false)
  })

  it.each([
    ['github', '无效的参数'],
    ['oidc', '无效的参数'],
    ['linuxdo', 'invalid code'],
  ])('reports in %s’s terms that the code is missing', async (name, message) => {
    const browser = site.browser()
    const { state } = await browser.start(name)
    expect((await browser.call('GET', `/api/oauth/${name}?state=${state}`)).json.message).toBe(message)
  })

  describe('GitHub', () => {
    it('keys people by their number and shows their name', async () => {
      const row = await userOf('github')
      expect(row.github_id).toBe(String(people))
      provider.state.person = { ...provider.state.person, login: 'renamed' }
      expect((await userOf('github')).id).toBe(row.id)
    })

    it('recognises users whom an older product identified by login name, once', async () => {
      const id = await user('veteran', { github_id: `cat${people}` })
      const before = provider.state.person
      expect((await userOf('github')).id).toBe(id)
      expect((await site.stored(id)).github_id).toBe(String(people))
      provider.state.person = { ...before, id: 77_000_000 + people }
      expect((await userOf('github')).id).not.toBe(id)
    })

    it('never takes a login name of digits for a number', async () => {
      const id = await user('digits', { github_id: String(people) })
      expect((await userOf('github')).id).not.toBe(id)
    })

    it('stores an address only when it is verified and no other user has it', async () => {
      const address = (email: string, verified: boolean) => [{ email, primary: true, verified }]
      provider.state.emails = address(`New${people}@Example.com`, false)
      expect((await userOf('github')).email).toBe('')
      people += 1
      provider.state.person = { id: people, login: 'a' }
      provider.state.emails = address(`New${people}@Example.com`, true)
      const row = await userOf('github')
      expect(row.email).toBe(`new${people}@example.com`)
      people += 1
      provider.state.person = { id: people, login: 'b' }
      expect((await userOf('github')).email).toBe('')
      people += 1
      provider.state.person = { id: people, login: 'c' }
      provider.state.emails = address('old@example.com', true)
      await user('oldmail', { email: 'old@example.com' })
      expect((await userOf('github')).email).toBe('')
    })

    it('signs in without an address when GitHub does not show any', async () => {
      provider.state.failures.set('/user/emails', 404)
      expect((await userOf('github')).email).toBe('')
    })

    it.each(['/token', '/user'])('says that it does not answer when %s is down', async (path) => {
      provider.state.failures.set(path, undefined)
      expect(await messageOf('github')).toBe(down('GitHub'))
      provider.state.failures.set(path, 503)
      expect(await messageOf('github')).toBe(down('GitHub'))
    })

    it('refuses an answer without a user', async () => {
      provider.state.person = { message: 'Bad credentials' }
      expect(await messageOf('github')).toBe('返回值非法，用户字段为空，请稍后重试！')
    })
  })

  describe('Linux DO', () => {
    it('is asked with Basic credentials and recognises users of an older product', async () => {
      const id = await user('linuxer', { linux_do_id: String(people) })
      expect((await userOf('linuxdo')).id).toBe(id)
      expect(provider.state.ways).toEqual(['basic'])
    })

    it.each([
      ['/token', undefined, 'failed to connect to Linux DO server'],
      ['/token', 400, 'failed to get access token: unreadable answer'],
      ['/api/user', undefined, 'failed to connect to Linux DO server'],
      ['/api/user', 404, 'invalid user info returned'],
    ])('says what is wrong when %s answers %s', async (path, status, message) => {
      provider.state.failures.set(path, status)
      expect(await messageOf('linuxdo')).toBe(message)
    })

    it('names the error that its token endpoint gives', async () => {
      const { json } = await goChanged('linuxdo', (address) =>
        address.searchParams.set('redirect_uri', 'https://gate.test/oauth/elsewhere'),
      )
      expect(json.message).toBe('failed to get access token: invalid_grant')
    })

    it('refuses a user without a number', async () => {
      provider.state.person = { id: 0, username: 'nobody' }
      expect(await messageOf('linuxdo')).toBe('invalid user info returned')
    })
  })

  describe('OpenID Connect', () => {
    it.each(['signature', 'nonce', 'issuer', 'audience', 'missing', 'future'] as const)(
      'refuses an id token whose %s is wrong',
      async (spoil) => {
        provider.state.spoil = spoil
        expect(await messageOf('oidc')).toBe('OIDC 获取 Token 失败，请检查设置！')
      },
    )

    it('takes a free name, and another one when it is taken or unfit', async () => {
      const wish = (preferred_username: string) => {
        people += 1
        provider.state.person = { sub: `wish-${people}`, preferred_username, name: 'W' }
      }
      wish(`ada${people}`)
      const first = await userOf('oidc')
      expect(first.username).toMatch(/^ada\d+$/)
      wish(first.username)
      expect((await userOf('oidc')).username).toMatch(/^oidc_[a-z0-9]{7}$/)
      wish('ada@example.com')
      expect((await userOf('oidc')).username).toMatch(/^oidc_[a-z0-9]{7}$/)
    })

    it('keeps an address only when the provider says that it is verified', async () => {
      provider.state.person = { sub: `mail-${people}`, email: `m${people}@example.com` }
      expect((await userOf('oidc')).email).toBe('')
      people += 1
      provider.state.person = { sub: `mail-${people}`, email: `m${people}@example.com`, email_verified: true }
      expect((await userOf('oidc')).email).toBe(`m${people}@example.com`)
    })

    it.each([
      ['true', true],
      ['TRUE', false],
      ['yes', false],
      ['1', false],
      [1, false],
      ['false', false],
    ])('reads email_verified by the letter: %j', async (verified, counts) => {
      provider.state.person = { sub: `said-${people}`, email: `s${people}@example.com`, email_verified: verified }
      expect((await userOf('oidc')).email).toBe(counts ? `s${people}@example.com` : '')
    })

    it('refuses user information about another subject than the id token', async () => {
      const browser = site.browser()
      const { url } = await browser.start('oidc')
      const { query } = await provider.agree(url)
      const original = provider.state.person
      provider.state.person = {
        ...original,
        get sub() {
          return provider.state.paths.at(-1) === '/userinfo' ? 'somebody else' : original.sub
        },
      }
      const answer = await browser.call('GET', `/api/oauth/oidc?${query}`)
      expect(answer.json.message).toBe('OIDC 获取用户信息失败！请检查设置！')
    })

    it('proves itself in the way that the provider lists', async () => {
      await userOf('oidc')
      expect(provider.state.ways).toEqual(['post'])
      site.state.now += 601_000
      provider.state.tokenWays = undefined
      await userOf('oidc')
      expect(provider.state.ways).toEqual(['post', 'basic'])
      site.state.now += 601_000
    })

    it('says that it does not answer, before and after people are sent there', async () => {
      site.state.now += 601_000
      provider.state.failures.set('/.well-known/openid-configuration', undefined)
      const browser = site.browser()
      const refused = await browser.call('POST', '/api/oauth/oidc/login', { body: {} })
      expect(refused.json.message).toBe(down('OIDC'))
      provider.state.failures.clear()
      provider.state.failures.set('/userinfo', 503)
      expect(await messageOf('oidc')).toBe(down('OIDC'))
      provider.state.failures.clear()
      provider.state.failures.set('/userinfo', 403)
      expect(await messageOf('oidc')).toBe('OIDC 获取用户信息失败！请检查设置！')
    })

    it('works with the three endpoints alone, and distinguishes issuers', async () => {
      const discovered = await userOf('oidc')
      await site.setOption('oidc.well_known', '')
      await site.setOption('oidc.authorization_endpoint', `${provider.origin}/authorize`)
      await site.setOption('oidc.token_endpoint', `${provider.origin}/token`)
      await site.setOption('oidc.user_info_endpoint', `${provider.origin}/userinfo`)
      const row = await userOf('oidc')
      const elsewhere = provider.origin.replace('127.0.0.1', 'localhost')
      await site.setOption('oidc.token_endpoint', `${elsewhere}/token`)
      const other = await userOf('oidc')
      await site.setOption('oidc.token_endpoint', `${provider.origin}/token`)
      provider.state.person = { name: 'nobody' }
      const nobody = await messageOf('oidc')
      provider.state.failures.set('/userinfo', 404)
      const failed = await messageOf('oidc')
      for (const key of ['authorization', 'token', 'user_info']) await site.setOption(`oidc.${key}_endpoint`, '')
      await site.setOption('oidc.well_known', `${provider.origin}/.well-known/openid-configuration`)
      expect([row.id, row.oidc_id]).toEqual([discovered.id, `sub-${people}`])
      expect(other.id).not.toBe(row.id)
      expect([nobody, failed]).toEqual(['OIDC 获取用户信息为空！请检查设置！', 'OIDC 获取用户信息失败！请检查设置！'])
    })

    it('recognises users of an older product by their subject', async () => {
      const id = await user('oidcold', { oidc_id: `sub-${people}` })
      expect((await userOf('oidc')).id).toBe(id)
    })
  })

  it('asks for the server address when the browser does not say where it is', async () => {
    await site.setOption('ServerAddress', '')
    const start = (headers: Record<string, string>) =>
      site.browser().call('POST', '/api/oauth/github/login', { body: {}, headers })
    const hidden = await start({})
    const forged = await start({ origin: 'https://evil.test' })
    const own = await start({ origin: 'http://console.test' })
    await site.setOption('ServerAddress', 'https://gate.test')
    expect([hidden.json.code, forged.json.code]).toEqual(['oauth_address_unknown', 'oauth_address_unknown'])
    const { url } = own.json.data as { url: string }
    expect(new URL(url).searchParams.get('redirect_uri')).toBe('http://console.test/oauth/github')
  })
})
