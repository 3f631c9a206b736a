import type { IdentityProviderChange } from '@tollgate/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { describeEachEngine } from '../../../../test/support/db/databases.ts'
import { siteUrl } from '../../../../test/support/features/third-party.ts'
import { freePort } from '../../../../test/support/lib/free-port.ts'
import { oidcClient } from '../../../../test/support/single-sign-on/oidc-provider.ts'
import { idIn, type OidcSite, openOidcSite, providerAt } from '../../../../test/support/single-sign-on/oidc-site.ts'
import { foundOrganisation } from '../../../../test/support/single-sign-on/organisations.ts'

describeEachEngine('signing in by OpenID Connect providers', (open) => {
  let oidc: OidcSite
  let site: OidcSite['site']
  let root: OidcSite['root']
  let acme: OidcSite['acme']
  let idOf: OidcSite['idOf']
  let change: OidcSite['change']
  let start: OidcSite['start']
  let go: OidcSite['go']
  let people: number

  beforeAll(async () => {
    oidc = await openOidcSite(await open())
    ;({ site, root, acme, idOf, change, start, go } = oidc)
  })
  afterAll(() => oidc.close())
  beforeEach(async () => {
    people = await oidc.nextPerson()
  })

  it('makes a user the first time and signs the same one in afterwards', async () => {
    const first = await go(site.browser())
    expect(first).toMatchObject({ success: true, data: { username: `ada${people}`, display_name: 'Ada L.', role: 1 } })
    expect(idIn(await go(site.browser()))).toBe(idIn(first))
  })

  it('asks with PKCE, state and nonce, and names the providers to visitors', async () => {
    const { searchParams } = new URL((await start(site.browser(), 'acme')).url)
    expect(Object.fromEntries(searchParams)).toMatchObject({
      client_id: oidcClient.id,
      code_challenge_method: 'S256',
      redirect_uri: `${siteUrl}/oauth/acme`,
      response_type: 'code',
    })
    for (const name of ['state', 'nonce', 'code_challenge']) expect(searchParams.get(name)?.length).toBeGreaterThan(30)
    expect(site.directory.shown()).toEqual([
      { slug: 'acme', name: 'ACME', icon: 'key' },
      { slug: 'other', name: 'OTHER', icon: 'key' },
    ])
  })

  it('tells people of two providers apart who have the same subject', async () => {
    expect(idIn(await go(site.browser(), 'other'))).not.toBe(idIn(await go(site.browser(), 'acme')))
  })

  it('takes an answer once, in the browser that asked, and from the provider that was asked', async () => {
    const browser = site.browser()
    const { query } = await acme.agree((await start(browser, 'acme')).url)
    const wrong = { success: false, code: 'oauth_state_wrong' }
    expect((await site.browser().call('GET', `/api/sso/acme?${query}`)).json).toMatchObject(wrong)
    expect((await browser.call('GET', `/api/sso/other?${query}`)).json).toMatchObject(wrong)
    const second = await acme.agree((await start(browser, 'acme')).url)
    expect((await browser.call('GET', `/api/sso/acme?${second.query}`)).json.success).toBe(true)
    expect((await browser.call('GET', `/api/sso/acme?${second.query}`)).json).toMatchObject(wrong)
  })

  it('goes on when the provider signs with a new key', async () => {
    await go(site.browser())
    acme.rotate('second')
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 120_000 })
    try {
      expect((await go(site.browser())).success).toBe(true)
    } finally {
      vi.useRealTimers()
    }
  })

  it('believes no answer of a provider whose issuer is another', async () => {
    const before = providerAt(acme, 'acme').connection
    if (before === undefined) throw new Error('no connection')
    await change('acme', { connection: { ...before, issuer: acme.origin.replace('127.0.0.1', 'localhost') } } as never)
    const { json } = await site.browser().call('POST', '/api/sso/acme/login', { body: {} })
    expect(json).toMatchObject({ success: false, code: 'oidc_token_failed' })
  })

  describe('links', () => {
    it('binds to the signed-in user, shows it, and takes it away', async () => {
      const member = await site.member(`bound${people}`)
      expect(await go(member, 'acme', 'bind')).toMatchObject({ success: true, message: 'bind' })
      expect(idIn(await go(site.browser()))).toBe(member.userId)
      const { data } = (await member.call('GET', '/api/sso/bindings')).json
      expect(data).toMatchObject([
        { slug: 'acme', provider: 'ACME', name: `ada${people}`, removable: true },
        { slug: 'other', name: '', created_time: 0 },
      ])
      expect((await member.call('DELETE', '/api/sso/acme')).json.success).toBe(true)
      expect((await member.call('GET', '/api/sso/bindings')).json.data).toMatchObject([{ name: '' }, { name: '' }])
    })

    it('keeps the only way in', async () => {
      const browser = site.browser()
      await go(browser)
      expect((await browser.call('DELETE', '/api/sso/acme')).json).toMatchObject({ code: 'last_sign_in' })
    })

    it('does not link an account that is somebody else’s', async () => {
      await go(site.browser())
      const member = await site.member(`second${people}`)
      expect(await go(member, 'acme', 'bind')).toMatchObject({ success: false, code: 'third_party_taken' })
    })

    const withAddress = async (address: string): Promise<number> => {
      const member = await site.member(`mail${people}`)
      const by = { id: member.userId, username: `mail${people}`, ip: '' }
      await site.users.links.link(by, { provider: 'email', subject: address })
      return member.userId
    }

    it('finds the account with an address that the provider verified and vouches for', async () => {
      const address = `ada${people}@acme.test`
      const owner = await withAddress(address)
      await change('acme', { domains: ['acme.test'] })
      acme.state.person = { ...acme.state.person, email: address, email_verified: true }
      expect(idIn(await go(site.browser()))).toBe(owner)
    })

    it.each([
      ['is not verified', { domains: ['acme.test'] }, { email_verified: false }],
      ['nobody says to be verified', { domains: ['acme.test'] }, {}],
      ['is verified in other words than the standard', { domains: ['acme.test'] }, { email_verified: 'TRUE' }],
      ['is of a domain that it does not vouch for', { domains: ['other.test'] }, { email_verified: true }],
    ])('links nobody by an address that %s', async (_, more, claims) => {
      const address = `eve${people}@acme.test`
      const owner = await withAddress(address)
      await change('acme', more)
      acme.state.person = { ...acme.state.person, email: address, ...claims }
      const entered = await go(site.browser())
      expect(entered.success).toBe(true)
      expect(idIn(entered)).not.toBe(owner)
    })

    it('never links root by an address', async () => {
      const address = `root${people}@acme.test`
      await site.users.links.link({ id: root.id, username: 'root', ip: '' }, { provider: 'email', subject: address })
      await change('acme', { domains: ['acme.test'] })
      acme.state.person = { ...acme.state.person, email: address, email_verified: true }
      expect(idIn(await go(site.browser()))).not.toBe(root.id)
    })
  })

  it('makes no account where it may not', async () => {
    await change('acme', { sign_up: false })
    expect(await go(site.browser())).toMatchObject({ success: false, code: 'sign_up_closed' })
  })

  it('signs nobody in while it is off', async () => {
    await change('acme', { enabled: false })
    const { json } = await site.browser().call('POST', '/api/sso/acme/login', { body: {} })
    expect(json).toMatchObject({ success: false, code: 'third_party_disabled' })
  })

  it('keeps the secret to itself, and off the trail', async () => {
    const listed = await root.call('GET', '/api/identity_providers')
    const trail = await site.database.query
      .selectFrom('audit')
      .selectAll()
      .where('object', '=', 'identity_provider')
      .execute()
    const rows = await site.database.query.selectFrom('identity_providers').selectAll().execute()
    expect(listed.json.data).toMatchObject([{ slug: 'acme', has_secret: true }, { slug: 'other' }])
    expect(trail.length).toBeGreaterThan(1)
    for (const text of [listed.text, JSON.stringify(trail), JSON.stringify(rows)])
      expect(text).not.toContain(oidcClient.secret)
  })

  it('reads what a provider says about itself, without saving anything', async () => {
    const { connection } = providerAt(acme, 'acme')
    const { json } = await root.call('POST', '/api/identity_providers/test', { connection })
    expect(json.data).toMatchObject({ issuer: acme.origin, sign_in_url: `${acme.origin}/auth`, keys: 1 })
    // Browsers' fetch refuses some ports, such as 1, before it connects.
    const nowhere = `http://127.0.0.1:${await freePort()}`
    const silent = { ...connection, issuer: nowhere }
    expect((await root.call('POST', '/api/identity_providers/test', { connection: silent })).json).toMatchObject({
      code: 'address_connection_refused',
      params: { address: nowhere },
    })
    const elsewhere = { ...connection, issuer: `${acme.origin}/nothing-here` }
    expect((await root.call('POST', '/api/identity_providers/test', { connection: elsewhere })).json).toMatchObject({
      code: 'issuer_not_there',
      params: { status: 404 },
    })
  })

  describe('of an organisation', () => {
    const own = (organisation: number): Partial<IdentityProviderChange> => ({
      ...providerAt(acme, 'team'),
      rules: [{ value: '*', organisation_id: organisation, team_id: 0, role: 'member' }],
    })

    it('are its owner’s to make, where the site lets them, within the organisation', async () => {
      const owner = await site.person(`own${people}`, 1)
      const stranger = await site.person(`str${people}`, 1)
      const { organisation } = await foundOrganisation(site.database, owner.id)
      const another = await foundOrganisation(site.database, root.id)
      const path = `/api/organisation/${organisation}/identity_providers`
      expect((await owner.call('POST', path, own(organisation))).json.code).toBe('organisation_providers_closed')
      await site.setOption('OrganisationProvidersEnabled', 'true')
      expect((await stranger.call('POST', path, own(organisation))).json.code).toBe('not_found')
      expect((await stranger.call('GET', path)).json.code).toBe('not_found')
      expect((await owner.call('POST', path, own(another.organisation))).json.code).toBe('provider_rule_wrong')
      expect((await owner.call('POST', path, own(organisation))).json.code).toBe('provider_only_for_site')
      const https = {
        ...own(organisation),
        connection: { ...own(organisation).connection, issuer: 'https://idp.test' },
      }
      const claims = { ...https, domains: ['acme.test'] }
      expect((await owner.call('POST', path, claims)).json.code).toBe('provider_only_for_site')
      expect((await owner.call('POST', path, https)).json.success).toBe(true)
      // The same holds for a test, which saves nothing and goes to public addresses alone.
      const tests = `${path}/test`
      expect((await stranger.call('POST', tests, { connection: https.connection })).json.code).toBe('not_found')
      const asked = async (issuer: string) =>
        (await owner.call('POST', tests, { connection: { ...https.connection, issuer } })).json.code
      expect(await asked(acme.origin)).toBe('provider_only_for_site')
      expect(await asked('https://127.0.0.1:1')).toBe('third_party_unreachable')
      expect((await owner.call('GET', path)).json.data).toMatchObject({ open: true, items: [{ slug: 'team' }] })
      expect(site.directory.shown().map(({ slug }) => slug)).not.toContain('team')
      const { id } = site.directory.bySlug('team') ?? { id: 0 }
      expect((await owner.call('DELETE', `${path}/${idOf('acme')}`)).json.code).toBe('not_found')
      expect((await owner.call('DELETE', `${path}/${id}`)).json.success).toBe(true)
    })
  })
})
