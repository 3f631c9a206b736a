import { createHmac, generateKeyPairSync, sign } from 'node:crypto'
import type { IdentityProviderChange } from '@tollgate/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { describeEachEngine } from '../../../../test/support/db/databases.ts'
import { rootPassword, type SignedIn } from '../../../../test/support/features/accounts.ts'
import {
  type AuthorizationServer,
  startAuthorizationServer,
} from '../../../../test/support/features/authorization-server.ts'
import {
  type Browser,
  openThirdPartySite,
  siteUrl,
  type ThirdPartySite,
} from '../../../../test/support/features/third-party.ts'
import {
  type OidcProvider,
  oidcClient,
  type ProviderCookies,
  startOidcProvider,
} from '../../../../test/support/single-sign-on/oidc-provider.ts'

describeEachEngine('signing out at OpenID Connect providers, and by them', (open) => {
  let elsewhere: AuthorizationServer
  let acme: OidcProvider
  let site: ThirdPartySite
  let root: SignedIn
  let people = 0

  const provider = (slug: string, signsOut: boolean): Partial<IdentityProviderChange> => ({
    slug,
    name: slug,
    connection: {
      kind: 'oidc',
      issuer: acme.origin,
      client_id: oidcClient.id,
      signs_out: signsOut,
      scopes: 'openid profile email groups',
      groups_claim: 'groups',
    },
    client_secret: oidcClient.secret,
  })
  const change = (signsOut: boolean) =>
    root.call('PUT', `/api/identity_providers/${site.directory.bySlug('acme')?.id}`, provider('acme', signsOut))

  beforeAll(async () => {
    elsewhere = await startAuthorizationServer()
    acme = await startOidcProvider(
      [`${siteUrl}/oauth/acme`, `${siteUrl}/oauth/other`, `${siteUrl}/oauth/oidc`],
      [`${siteUrl}/login`],
    )
    site = await openThirdPartySite(await open(), elsewhere)
    root = await site.signIn('root', rootPassword)
    for (const slug of ['acme', 'other']) await root.call('POST', '/api/identity_providers', provider(slug, true))
  })
  afterAll(async () => {
    await site.close()
    await Promise.all([elsewhere.close(), acme.close()])
  })
  beforeEach(async () => {
    people += 1
    acme.state.person = { sub: `sub-${people}`, preferred_username: `ada${people}` }
    acme.state.told.length = 0
    await change(true)
  })

  /** A browser that has signed in here, with its cookies there. */
  const signedIn = async (slug = 'acme'): Promise<{ browser: Browser; there: ProviderCookies }> => {
    const browser = site.browser()
    const there: ProviderCookies = new Map()
    const { json } = await browser.call('POST', `/api/sso/${slug}/login`, { body: {} })
    const { query } = await acme.agree((json.data as { url: string }).url, there)
    expect((await browser.call('GET', `/api/sso/${slug}?${query}`)).json).toMatchObject({ success: true })
    return { browser, there }
  }
  const isIn = async (browser: Browser): Promise<boolean> =>
    (await browser.call('GET', '/api/session')).json.data !== null
  /** As the provider's server posts it. */
  const tell = (body: string, slug = 'acme') =>
    site.call('POST', `/api/sso/${slug}/backchannel`, {
      body,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
  const tokenOf = (told: string): string => new URLSearchParams(told).get('logout_token') ?? ''

  it('sends people who sign out here to sign out there, and back to the login page', async () => {
    const { browser, there } = await signedIn()
    const { json } = await browser.call('GET', '/api/user/logout')
    expect(await isIn(browser)).toBe(false)
    const { url } = json.data as { url: string }
    expect(new URL(url).searchParams.get('id_token_hint')?.length).toBeGreaterThan(100)
    expect(await acme.leave(url, there)).toBe(`${siteUrl}/login`)
  })

  it('leaves the session there where the provider is not to be asked', async () => {
    await change(false)
    const { browser } = await signedIn()
    expect((await browser.call('GET', '/api/user/logout')).json.data).toBeUndefined()
    const rows = await site.database.query.selectFrom('sessions').select('logout_cipher').execute()
    // No id token is kept for nothing.
    expect(Math.max(...rows.map(({ logout_cipher: text }) => text?.length ?? 0))).toBeLessThan(2000)
  })

  it('signs people out here though the provider does not answer', async () => {
    const { browser } = await signedIn()
    await site.setOption('ServerAddress', '')
    const { json } = await browser.call('GET', '/api/user/logout')
    await site.setOption('ServerAddress', siteUrl)
    expect(json).toEqual({ success: true, message: '' })
    expect(await isIn(browser)).toBe(false)
  })

  describe('told by the server of the provider', () => {
    it('ends the sessions of that session there, once', async () => {
      const [one, two] = [await signedIn(), await signedIn()]
      const ended = await one.browser.call('GET', '/api/user/logout')
      const again = await signedIn()
      await acme.leave((ended.json.data as { url: string }).url, one.there)
      expect(acme.state.told).toHaveLength(1)
      const [told = ''] = acme.state.told
      expect(await isIn(two.browser)).toBe(true)
      expect((await tell(told)).status).toBe(200)
      expect([await isIn(two.browser), await isIn(again.browser)]).toEqual([true, true])
      const second = await tell(told)
      expect([second.status, second.json.code]).toEqual([400, 'logout_token_refused'])
    })

    it('ends a session here that began with the one that ended there', async () => {
      const { browser, there } = await signedIn()
      const end = new URL(`${acme.origin}/session/end`)
      end.search = String(new URLSearchParams({ client_id: oidcClient.id }))
      await acme.leave(end.href, there)
      expect(acme.state.told).toHaveLength(1)
      expect(await isIn(browser)).toBe(true)
      // To another provider of this site it means nothing: sessions belong to the provider that they began with.
      await tell(acme.state.told[0] ?? '', 'other')
      expect(await isIn(browser)).toBe(true)
      expect((await tell(acme.state.told[0] ?? '')).status).toBe(200)
      expect(await isIn(browser)).toBe(false)
    })

    it('refuses tokens that are changed, of somebody else, without a signature, or no logout tokens', async () => {
      const { browser, there } = await signedIn()
      const { json } = await browser.call('GET', '/api/user/logout')
      const idToken = new URL((json.data as { url: string }).url).searchParams.get('id_token_hint') ?? ''
      await acme.leave((json.data as { url: string }).url, there)
      const { browser: other } = await signedIn()
      const [head = '', body = '', signature = ''] = tokenOf(acme.state.told[0] ?? '').split('.')
      const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as Record<string, unknown>
      const written = (more: object) => Buffer.from(JSON.stringify({ ...claims, ...more })).toString('base64url')
      const header = (more: object) => Buffer.from(JSON.stringify(more)).toString('base64url')
      const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
      const foreign = `${head}.${written({ jti: 'new' })}`
      const shared = `${header({ alg: 'HS256', typ: 'logout+jwt' })}.${written({ jti: 'new' })}`
      const tokens = [
        `${head}.${written({ sub: 'another' })}.${signature}`,
        `${foreign}.${sign('RSA-SHA256', Buffer.from(foreign), privateKey).toString('base64url')}`,
        `${shared}.${createHmac('sha256', oidcClient.secret).update(shared).digest('base64url')}`,
        `${header({ alg: 'none' })}.${written({ jti: 'new' })}.`,
        idToken,
        'nothing',
      ]
      for (const token of tokens) {
        const answer = await tell(String(new URLSearchParams({ logout_token: token })))
        expect([answer.status, answer.json.code]).toEqual([400, 'logout_token_refused'])
      }
      expect(await isIn(other)).toBe(true)
    })
  })

  it('signs out at the provider of the options, where that is wanted', async () => {
    const set = async (values: Readonly<Record<string, string>>) => {
      for (const [key, value] of Object.entries(values)) await site.setOption(key, value)
    }
    await set({
      'oidc.client_id': oidcClient.id,
      'oidc.client_secret': oidcClient.secret,
      'oidc.well_known': `${acme.origin}/.well-known/openid-configuration`,
    })
    const enter = async (): Promise<{ browser: Browser; there: ProviderCookies }> => {
      const [browser, there]: [Browser, ProviderCookies] = [site.browser(), new Map()]
      const { url } = await browser.start('oidc')
      const { query } = await acme.agree(url, there)
      expect((await browser.call('GET', `/api/oauth/oidc?${query}`)).json.success).toBe(true)
      return { browser, there }
    }
    const before = await enter()
    expect((await before.browser.call('GET', '/api/user/logout')).json.data).toBeUndefined()
    await set({ 'oidc.signs_out': 'true' })
    const { browser, there } = await enter()
    const { data } = (await browser.call('GET', '/api/user/logout')).json as { data: { url?: string } }
    const address = new URL(data.url ?? '')
    expect(`${address.origin}${address.pathname}`).toBe(`${acme.origin}/session/end`)
    expect(address.searchParams.get('post_logout_redirect_uri')).toBe(`${siteUrl}/login`)
    expect(address.searchParams.get('id_token_hint')?.split('.')).toHaveLength(3)
    expect(await acme.leave(address.href, there)).toBe(`${siteUrl}/login`)
    const left = await enter()
    await set({ 'oidc.signs_out': 'false' })
    expect((await left.browser.call('GET', '/api/user/logout')).json.data).toBeUndefined()
  })
})
