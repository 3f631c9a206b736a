import type { IdentityProviderChange } from '@tollgate/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
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
  startOidcProvider,
} from '../../../../test/support/single-sign-on/oidc-provider.ts'
import { foundOrganisation } from '../../../../test/support/single-sign-on/organisations.ts'

describeEachEngine('signing in by OpenID Connect providers', (open) => {
  let elsewhere: AuthorizationServer
  let acme: OidcProvider
  let other: OidcProvider
  let site: ThirdPartySite
  let root: SignedIn
  beforeAll(async () => {
    elsewhere = await startAuthorizationServer()
    acme = await startOidcProvider([`${siteUrl}/oauth/acme`, `${siteUrl}/oauth/team`])
    other = await startOidcProvider([`${siteUrl}/oauth/other`])
    site = await openThirdPartySite(await open(), elsewhere)
    root = await site.signIn('root', rootPassword)
    await create(providerAt(acme, 'acme'))
    await create(providerAt(other, 'other'))
  })
  afterAll(async () => {
    await site.close()
    await Promise.all([elsewhere.close(), acme.close(), other.close()])
  })

  let people = 0
  beforeEach(async () => {
    people += 1
    acme.state.person = { sub: `sub-${people}`, name: 'Ada L.', preferred_username: `ada${people}` }
    other.state.person = { sub: `sub-${people}`, name: 'Other Ada' }
    await change('acme', {})
  })

  const providerAt = ({ origin }: OidcProvider, slug: string): Partial<IdentityProviderChange> => ({
    slug,
    name: slug.toUpperCase(),
    connection: {
      kind: 'oidc',
      issuer: origin,
      client_id: oidcClient.id,
      scopes: 'openid profile email groups',
      groups_claim: 'groups',
      signs_out: false,
    },
    client_secret: oidcClient.secret,
  })
  const create = async (provider: Partial<IdentityProviderChange>): Promise<number> => {
    const { json } = await root.call('POST', '/api/identity_providers', provider)
    if (json.success !== true) throw new Error(String(json.message))
    return (json.data as { id: number }).id
  }
  const idOf = (slug: string): number => site.directory.bySlug(slug)?.id ?? 0
  const change = async (slug: string, more: Partial<IdentityProviderChange>) =>
    (
      await root.call('PUT', `/api/identity_providers/${idOf(slug)}`, {
        ...providerAt(slug === 'acme' ? acme : other, slug),
        ...more,
      })
    ).json

  const start = async (browser: Browser, slug: string, purpose: 'login' | 'bind' = 'login') => {
    const { json } = await browser.call('POST', `/api/sso/${slug}/${purpose}`, { body: {} })
    if (json.success !== true) throw new Error(String(json.message))
    return json.data as { url: string; state: string }
  }
  const go = async (browser: Browser, slug = 'acme', purpose: 'login' | 'bind' = 'login') => {
    const { url } = await start(browser, slug, purpose)
    const { path, query } = await (slug === 'other' ? other : acme).agree(url)
    expect(path).toBe(`/oauth/${slug}`)
    return (await browser.call('GET', `/api/sso/${slug}?${query}`)).json
  }
  const idIn = (json: Readonly<Record<string, unknown>>): number => (json.data as { id: number }).id

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

  describe('enforced for a domain', () => {
    const enforce = () => change('acme', { domains: ['acme.test'], enforced: true })
    const required = { success: false, code: 'sso_required', data: { slug: 'acme', name: 'ACME' } }
    const withAddress = async (name: string, role = 1): Promise<{ id: number; address: string }> => {
      const { id } = await site.person(name, role)
      const address = `${name}@acme.test`
      await site.users.links.link({ id, username: name, ip: '' }, { provider: 'email', subject: address })
      return { id, address }
    }

    it('refuses passwords, by name and by address, and says where to go', async () => {
      const name = `pass${people}`
      const { id, address } = await withAddress(name)
      await enforce()
      const from = '10.99.0.1'
      expect((await site.login(name, `${name} password`, { from })).json).toMatchObject({
        ...required,
        message: '邮箱为 @acme.test 的用户须通过 ACME 登录',
      })
      expect((await site.login(address, 'a wrong password', { from })).json).toMatchObject(required)
      acme.state.person = { ...acme.state.person, email: address, email_verified: true }
      expect(idIn(await go(site.browser()))).toBe(id)
    })

    it('refuses accounts elsewhere, too', async () => {
      const { id } = await withAddress(`hub${people}`)
      elsewhere.state.person = { id: 70_000 + people, login: `hub${people}` }
      await site.users.links.link(
        { id, username: '', ip: '' },
        { provider: 'github', subject: String(70_000 + people) },
      )
      await enforce()
      expect((await site.browser().go('github')).json).toMatchObject(required)
    })

    it('lets root in by a password', async () => {
      const address = `chief${people}@acme.test`
      await site.users.links.link({ id: root.id, username: 'root', ip: '' }, { provider: 'email', subject: address })
      await enforce()
      expect((await site.login('root', rootPassword, { from: '10.99.0.2' })).json.success).toBe(true)
      expect((await site.login(address, 'wrong', { from: '10.99.0.3' })).json).toMatchObject(required)
    })

    it('leaves people of other domains alone', async () => {
      await enforce()
      const name = `free${people}`
      const { id } = await site.person(name, 1)
      await site.users.links.link(
        { id, username: name, ip: '' },
        { provider: 'email', subject: `${name}@acme.test.example` },
      )
      expect((await site.login(name, `${name} password`, { from: '10.99.0.4' })).json.success).toBe(true)
    })

    it('needs a domain, which no other provider is enforced for', async () => {
      expect(await change('acme', { enforced: true })).toMatchObject({ code: 'enforced_without_domain' })
      expect(await change('acme', { enforced: true, enabled: false, domains: ['acme.test'] })).toMatchObject({
        code: 'enforced_without_domain',
      })
      await enforce()
      expect(await change('other', { domains: ['acme.test'], enforced: true })).toMatchObject({
        code: 'provider_domain_taken',
      })
    })
  })

  describe('groups', () => {
    const membershipsOf = async (userId: number) => {
      const rows = await site.database.query
        .selectFrom('memberships')
        .select(['organisation_id', 'team_id', 'role'])
        .where('user_id', '=', userId)
        .orderBy('team_id')
        .execute()
      return rows
    }

    it('give a team and a role, change it, and take it away', async () => {
      const { organisation, team } = await foundOrganisation(site.database, root.id)
      await change('acme', {
        rules: [
          { value: '*', organisation_id: organisation, team_id: 0, role: 'viewer' },
          { value: 'engineers', organisation_id: organisation, team_id: team, role: 'member' },
          { value: 'leads', organisation_id: organisation, team_id: team, role: 'admin' },
        ],
      })
      const everybody = { organisation_id: organisation, team_id: 0, role: 'viewer' }
      const groups = async (...names: string[]) => {
        acme.state.person = { ...acme.state.person, groups: names }
        return membershipsOf(idIn(await go(site.browser())))
      }
      expect(await groups('engineers', 'leads')).toEqual([
        everybody,
        { organisation_id: organisation, team_id: team, role: 'admin' },
      ])
      expect(await groups('engineers')).toEqual([
        everybody,
        { organisation_id: organisation, team_id: team, role: 'member' },
      ])
      expect(await groups('sales')).toEqual([everybody])
    })

    it('leave what was given by hand, unless the provider replaces it; owners keep their role', async () => {
      const { organisation, team } = await foundOrganisation(site.database, root.id)
      const rules: IdentityProviderChange['rules'] = [
        { value: '*', organisation_id: organisation, team_id: 0, role: 'viewer' },
        { value: '*', organisation_id: organisation, team_id: team, role: 'viewer' },
      ]
      const id = idIn(await go(site.browser()))
      const byHand = (team_id: number, role: string) => ({
        organisation_id: organisation,
        team_id,
        user_id: id,
        role,
        created_time: 0,
        provider_id: 0,
      })
      await site.database.query
        .insertInto('memberships')
        .values([byHand(0, 'owner'), byHand(team, 'admin')])
        .execute()
      await change('acme', { rules })
      await go(site.browser())
      expect((await membershipsOf(id)).map(({ role }) => role)).toEqual(['owner', 'admin'])
      await change('acme', { rules, replaces_manual: true })
      await go(site.browser())
      expect((await membershipsOf(id)).map(({ role }) => role)).toEqual(['owner', 'viewer'])
    })

    it('switch the keys of somebody off who has left, at once', async () => {
      const { organisation, wallet } = await foundOrganisation(site.database, root.id)
      await change('acme', { rules: [{ value: 'in', organisation_id: organisation, team_id: 0, role: 'member' }] })
      acme.state.person = { ...acme.state.person, groups: ['in'] }
      const id = idIn(await go(site.browser()))
      const key = await foundOrganisation.key(site.database, wallet, id)
      acme.state.person = { ...acme.state.person, groups: [] }
      await go(site.browser())
      const row = await site.database.query
        .selectFrom('tokens')
        .select('status')
        .where('id', '=', key)
        .executeTakeFirst()
      expect(row?.status).toBe(2)
      expect(site.changedWallets).toContain(wallet)
    })

    it('are given once to somebody who signs in twice at the same moment', async () => {
      const { organisation } = await foundOrganisation(site.database, root.id)
      await change('acme', { rules: [{ value: '*', organisation_id: organisation, team_id: 0, role: 'member' }] })
      const browsers = [site.browser(), site.browser(), site.browser()]
      const ways = await Promise.all(browsers.map(async (browser) => acme.agree((await start(browser, 'acme')).url)))
      const entered = await Promise.all(
        browsers.map((browser, index) => browser.call('GET', `/api/sso/acme?${ways[index]?.query}`)),
      )
      expect(entered.map(({ json }) => json.success)).toEqual([true, true, true])
      const [id = 0, ...others] = entered.map(({ json }) => idIn(json))
      expect(others).toEqual([id, id])
      expect(await membershipsOf(id)).toHaveLength(1)
    })

    it('are only given in organisations and teams that exist', async () => {
      const { organisation } = await foundOrganisation(site.database, root.id)
      const rule = { value: '*', organisation_id: organisation, team_id: 999_999, role: 'member' } as const
      expect(await change('acme', { rules: [rule] })).toMatchObject({ code: 'provider_rule_wrong' })
    })
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
    const silent = { ...connection, issuer: 'http://127.0.0.1:1' }
    expect((await root.call('POST', '/api/identity_providers/test', { connection: silent })).json).toMatchObject({
      code: 'third_party_unreachable',
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
