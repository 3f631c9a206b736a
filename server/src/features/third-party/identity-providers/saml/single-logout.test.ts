import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { describeEachEngine } from '../../../../../test/support/db/databases.ts'
import { type Browser, siteUrl } from '../../../../../test/support/features/third-party.ts'
import type { SamlProvider } from '../../../../../test/support/single-sign-on/saml-provider.ts'
import { openSamlSite, type SamlSite } from '../../../../../test/support/single-sign-on/saml-site.ts'

describeEachEngine('signing out at SAML providers, and by them', (open) => {
  let saml: SamlSite
  let idp: SamlProvider
  let people = 0
  beforeAll(async () => {
    saml = await openSamlSite(await open())
    idp = saml.idp
  })
  afterAll(() => saml.close())
  beforeEach(async () => {
    people += 1
    idp.reset()
    idp.state.person = { nameId: `ada${people}`, attributes: {} }
    saml.site.refusals.length = 0
    await saml.change({}, { logout_url: `${idp.origin}/slo` })
  })

  /** A browser that has signed in, in this session of the provider. */
  const signedIn = async (sessionIndex = ''): Promise<Browser> => {
    idp.state.sessionIndex = sessionIndex
    const browser = saml.site.browser()
    expect(await saml.go(browser)).toMatchObject({ success: true })
    return browser
  }
  const isIn = async (browser: Browser): Promise<boolean> =>
    (await browser.call('GET', '/api/session')).json.data !== null

  /** Opens an address of the site as a browser that another site sends there. */
  const openAddress = (address: string) => {
    const { pathname, search, origin } = new URL(address)
    expect(origin).toBe(siteUrl)
    return saml.site.call('GET', pathname + search, { headers: { 'sec-fetch-site': 'cross-site' } })
  }
  const refused = { success: false, code: 'saml_answer_refused' }

  describe('here', () => {
    it('signs out there, too, in the session that it began with', async () => {
      const browser = await signedIn('session-1')
      const { json } = await browser.call('GET', '/api/user/logout')
      const { url } = json.data as { url: string }
      expect(await isIn(browser)).toBe(false)
      const answer = await fetch(url, { redirect: 'manual' })
      expect(idp.state.signedOut).toEqual([{ nameId: `ada${people}`, sessionIndex: 'session-1' }])
      // The provider sends the browser back.
      const back = await openAddress(answer.headers.get('location') ?? '')
      expect([back.status, back.headers.get('location')]).toEqual([302, '/login?done=loggedOut'])
    })

    it('asks nothing of a provider without an address for it, or that is switched off', async () => {
      const browser = await signedIn()
      await saml.change({})
      expect((await browser.call('GET', '/api/user/logout')).json.data).toBeUndefined()
      const another = await signedIn()
      await saml.change({ enabled: false }, { logout_url: `${idp.origin}/slo` })
      expect((await another.call('GET', '/api/user/logout')).json.data).toBeUndefined()
      expect(await isIn(another)).toBe(false)
    })

    it('says nothing of a provider to people who signed in with a password', async () => {
      const member = await saml.site.member(`password${people}`)
      expect((await member.call('GET', '/api/user/logout')).json).toEqual({ success: true, message: '' })
    })

    it('keeps the session of the provider through a second step and a change of the password', async () => {
      const browser = await signedIn('session-1')
      const before = await saml.site.database.query
        .selectFrom('sessions')
        .select('logout_cipher')
        .where('user_id', '=', browser.userId)
        .executeTakeFirstOrThrow()
      expect(before.logout_cipher).not.toContain('session-1')
      const body = { password: 'another long password' }
      const { json } = await browser.call('PUT', '/api/user/self', { body })
      expect(json).toMatchObject({ success: true })
      expect((await browser.call('GET', '/api/user/logout')).json.data).toHaveProperty('url')
    })
  })

  describe('there', () => {
    const bindings = ['redirect', 'post'] as const
    const send = async (binding: (typeof bindings)[number], request: string) =>
      binding === 'redirect'
        ? openAddress(request)
        : saml.postTo('/api/sso/corp/slo', { SAMLRequest: request, RelayState: 'back' })

    it.each(bindings)('ends the sessions of the named session here (%s), once', async (binding) => {
      const [one, two] = [await signedIn('session-1'), await signedIn('session-2')]
      const request = idp.logoutRequest(binding, { nameId: `ada${people}`, sessionIndexes: ['session-1'] })
      const answer = await send(binding, request)
      expect([await isIn(one), await isIn(two)]).toEqual([false, true])
      // The answer goes on to the provider, signed, and with what it wants to have back.
      const next = new URL(answer.headers.get('location') ?? '')
      expect([next.origin, next.searchParams.get('RelayState')]).toEqual([idp.origin, 'back'])
      expect((await fetch(next)).status).toBe(200)
      expect(idp.state.answers).toBe(1)
      // Signed in again: the same request ends nothing more.
      const again = await signedIn('session-1')
      expect((await send(binding, request)).json).toMatchObject(refused)
      expect(saml.reason()).toBe('it was used before')
      expect(await isIn(again)).toBe(true)
    })

    it.each([[[]], [['session-1', 'session-2']]])('ends all sessions of a person where it names %j', async (names) => {
      const browsers = [await signedIn('session-1'), await signedIn('session-2'), await signedIn()]
      await send('redirect', idp.logoutRequest('redirect', { nameId: `ada${people}`, sessionIndexes: names }))
      expect(await Promise.all(browsers.map(isIn))).toEqual([false, false, false])
    })

    it('ends no sessions of others, and none that began otherwise', async () => {
      const browser = await signedIn('session-1')
      const member = await saml.site.member(`other${people}`)
      const { json } = await member.call('POST', '/api/sso/corp/bind')
      idp.state.person = { nameId: `bob${people}`, attributes: {} }
      await saml.arrive(member, await saml.post(await idp.agree((json.data as { url: string }).url)))
      await send('redirect', idp.logoutRequest('redirect', { nameId: `bob${people}`, sessionIndexes: [] }))
      expect([await isIn(browser), await isIn(member)]).toEqual([true, true])
    })

    it('leaves the browser at the login page where the provider has no address', async () => {
      const browser = await signedIn()
      await saml.change({})
      const request = idp.logoutRequest('redirect', { nameId: `ada${people}`, sessionIndexes: [] })
      expect((await send('redirect', request)).headers.get('location')).toBe('/login?done=loggedOut')
      expect(await isIn(browser)).toBe(false)
    })

    const past = new Date(Date.now() - 900_000).toISOString()
    it.each([
      ['of long ago', { IssueInstant: past }, 'the request to sign out is not of now'],
      [
        'for another address',
        { Destination: 'https://elsewhere.test/slo' },
        'the request to sign out is for another address',
      ],
    ])('refuses a request %s', async (_, tags, why) => {
      const browser = await signedIn()
      for (const binding of bindings) {
        saml.site.refusals.length = 0
        const whole = idp.logoutRequest(binding, { nameId: `ada${people}`, sessionIndexes: [], tags })
        // The address of a redirect is the Destination; it is opened here all the same.
        const request = binding === 'redirect' ? `${siteUrl}/api/sso/corp/slo${new URL(whole).search}` : whole
        expect((await send(binding, request)).json).toMatchObject(refused)
        expect(saml.reason()).toBe(why)
      }
      expect(await isIn(browser)).toBe(true)
    })

    it('refuses requests of another issuer, with the key of somebody else, changed ones, and those that nobody signed', async () => {
      const browser = await signedIn()
      const request = (tags = {}) => ({ nameId: `ada${people}`, sessionIndexes: [], tags })
      const sent = []
      for (const binding of bindings) {
        sent.push(await send(binding, idp.logoutRequest(binding, request({ Issuer: 'https://elsewhere.test' }))))
        idp.state.key = 'foreign'
        sent.push(await send(binding, idp.logoutRequest(binding, request())))
        idp.state.key = 'own'
        idp.state.algorithm = 'http://www.w3.org/2000/09/xmldsig#rsa-sha1'
        sent.push(await send(binding, idp.logoutRequest(binding, request())))
        idp.state.algorithm = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256'
      }
      const url = new URL(idp.logoutRequest('redirect', request()))
      for (const name of ['Signature', 'SigAlg']) {
        const without = new URL(url)
        without.searchParams.delete(name)
        sent.push(await openAddress(without.href))
      }
      url.searchParams.set('RelayState', 'another')
      sent.push(await openAddress(url.href))
      url.searchParams.append('SAMLRequest', 'twice')
      sent.push(await openAddress(url.href))
      const posted = Buffer.from(idp.logoutRequest('post', request()), 'base64').toString()
      const spoilt = [
        posted.replace(/<ds:Signature .*<\/ds:Signature>/s, ''),
        posted.replace(`>ada${people}<`, '>root<'),
        posted.replace(/<saml:NameID/, `<saml:NameID>root</saml:NameID><saml:NameID`),
        `<a>${'x'.repeat(181_000)}</a>`,
        '<!DOCTYPE r []><r/>',
        'no xml',
      ]
      for (const xml of spoilt) sent.push(await send('post', Buffer.from(xml).toString('base64')))
      expect(sent.map(({ json }) => json.code)).toEqual(sent.map(() => 'saml_answer_refused'))
      expect(sent.length).toBe(16)
      expect(await isIn(browser)).toBe(true)
    })

    it('knows nothing of providers that are none of SAML', async () => {
      const { json } = await saml.postTo('/api/sso/unknown/slo', { SAMLRequest: 'eA==' })
      expect(json).toMatchObject({ success: false, code: 'not_found' })
    })
  })
})
