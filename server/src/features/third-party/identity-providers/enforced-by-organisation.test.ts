import type { IdentityProviderChange } from '@tollgate/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { describeEachEngine } from '../../../../test/support/db/databases.ts'
import type { SignedIn } from '../../../../test/support/features/accounts.ts'
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
import { endEnforcement } from './store.ts'

describeEachEngine('the provider that an organisation enforces for its domain', (open) => {
  let elsewhere: AuthorizationServer
  let acme: OidcProvider
  let site: ThirdPartySite
  let owner: SignedIn
  let organisation: number
  let domain: string

  let count = 0
  beforeAll(async () => {
    elsewhere = await startAuthorizationServer()
    acme = await startOidcProvider([`${siteUrl}/oauth/acme`])
    site = await openThirdPartySite(await open(), elsewhere, ['127.0.0.1'])
    await site.setOption('OrganisationProvidersEnabled', 'true')
  })
  afterAll(async () => {
    await site.close()
    await Promise.all([elsewhere.close(), acme.close()])
  })
  beforeEach(async () => {
    count += 1
    await site.database.query.deleteFrom('identity_providers').execute()
    owner = await site.person(`boss${count}`, 1)
    organisation = (await foundOrganisation(site.database, owner.id)).organisation
    domain = `acme${count}.test`
    await prove(organisation, domain)
    await pointAt(provider.connection.issuer)
  })

  const prove = (id: number, proved: string) =>
    site.database.query
      .updateTable('organisations')
      .set({ domain: proved, domain_proof: proved, domain_proved_time: 1 })
      .where('id', '=', id)
      .execute()

  const provider = {
    slug: 'acme',
    name: 'ACME',
    connection: {
      kind: 'oidc',
      issuer: 'https://idp.test',
      client_id: oidcClient.id,
      scopes: 'openid profile email groups',
      groups_claim: 'groups',
      signs_out: false,
    },
    client_secret: oidcClient.secret,
  } as const satisfies Partial<IdentityProviderChange>

  /** The provider of the test has no HTTPS, which owners must type: it stands in the row while people go there. */
  const pointAt = async (issuer: string) => {
    await site.database.query
      .updateTable('identity_providers')
      .set({ connection: JSON.stringify({ ...provider.connection, issuer }) })
      .where('slug', '=', 'acme')
      .execute()
    await site.directory.changed()
  }
  const path = () => `/api/organisation/${organisation}/identity_providers`
  const idOf = (): number => site.directory.bySlug('acme')?.id ?? 0
  const create = async (more: Partial<IdentityProviderChange> = {}) =>
    (await owner.call('POST', path(), { ...provider, ...more })).json
  const change = async (more: Partial<IdentityProviderChange>) => {
    await pointAt(provider.connection.issuer)
    const { json } = await owner.call('PUT', `${path()}/${idOf()}`, { ...provider, ...more })
    await pointAt(acme.origin)
    return json
  }

  const go = async (browser: Browser, purpose: 'login' | 'bind' = 'login') => {
    const { json } = await browser.call('POST', `/api/sso/acme/${purpose}`, { body: {} })
    if (json.success !== true) throw new Error(String(json.message))
    const { query } = await acme.agree((json.data as { url: string }).url)
    return (await browser.call('GET', `/api/sso/acme?${query}`)).json
  }
  const idIn = (json: Readonly<Record<string, unknown>>): number => (json.data as { id: number }).id
  const browserOf = ({ id, cookie }: SignedIn): Browser => {
    const browser = site.browser()
    const [name = '', value = ''] = cookie.split('=')
    browser.cookies.set(name, value)
    browser.userId = id
    return browser
  }

  /** Somebody with a password and an address in the domain, in the organisation or not. */
  const person = async (name: string, { role = 1, member = true } = {}) => {
    const username = `${name}${count}`
    const signedIn = await site.person(username, role)
    const address = `${username}@${domain}`
    await site.users.links.link({ id: signedIn.id, username, ip: '' }, { provider: 'email', subject: address })
    if (member)
      await site.database.query
        .insertInto('memberships')
        .values({ organisation_id: organisation, team_id: 0, user_id: signedIn.id, role: 'member', created_time: 0 })
        .execute()
    const login = async (password = `${username} password`, by = username) =>
      (await site.login(by, password, { from: `10.77.0.${count}` })).json
    return { ...signedIn, username, address, login }
  }

  /** The owner goes through the provider once and switches it on. */
  const enforce = async (more: Partial<IdentityProviderChange> = {}) => {
    await create()
    await pointAt(acme.origin)
    acme.state.person = { sub: `boss-${count}` }
    await go(browserOf(owner), 'bind')
    await go(site.browser())
    expect(await change({ enforced: true, ...more })).toMatchObject({
      success: true,
      data: { enforced: true, domains: [domain] },
    })
  }
  const required = { success: false, code: 'sso_required', data: { slug: 'acme', name: 'ACME' } }

  it('is switched on once an owner came in by it, and by the connection that it has', async () => {
    expect(await create({ enforced: true })).toMatchObject({ code: 'enforced_without_sign_in' })
    await create()
    await pointAt(acme.origin)
    acme.state.person = { sub: `boss-${count}` }
    await go(browserOf(owner), 'bind')
    // A link alone does not show that somebody gets in.
    expect(await change({ enforced: true })).toMatchObject({ code: 'enforced_without_sign_in' })
    const ada = await person('ada')
    acme.state.person = { sub: `ada-${count}` }
    await go(browserOf(ada), 'bind')
    await go(site.browser())
    expect(await change({ enforced: true })).toMatchObject({ code: 'enforced_without_sign_in' })
    acme.state.person = { sub: `boss-${count}` }
    expect(idIn(await go(site.browser()))).toBe(owner.id)
    const elsewhereNow = { ...provider.connection, client_id: 'another' }
    expect(await change({ enforced: true, connection: elsewhereNow })).toMatchObject({
      code: 'enforced_without_sign_in',
    })
    expect(await change({ enforced: true, connection: { ...provider.connection, groups_claim: '' } })).toMatchObject({
      data: { enforced: true, domains: [domain] },
    })
  })

  it('binds members, whatever way they take, and finds their account by its address', async () => {
    const ada = await person('ada')
    await enforce()
    expect(await ada.login()).toMatchObject(required)
    expect(await ada.login('a wrong password', ada.address)).toMatchObject({
      success: false,
      code: 'sso_or_credentials_wrong',
      data: required.data,
    })
    const client = { ip: '10.1.1.1', userAgent: '', sessionId: undefined, forwarded: false }
    await expect(site.accounts.signIn.withBoth(ada.id, client, 'key')).rejects.toMatchObject({ code: 'sso_required' })
    elsewhere.state.person = { id: 80_000 + count, login: 'ada' }
    await site.users.links.link(
      { id: ada.id, username: '', ip: '' },
      { provider: 'github', subject: String(80_000 + count) },
    )
    expect((await site.browser().go('github')).json).toMatchObject(required)
    acme.state.person = { sub: `ada-${count}`, email: ada.address, email_verified: true }
    expect(idIn(await go(site.browser()))).toBe(ada.id)
  })

  it('binds neither owners, staff, people who are no members, nor members of other domains', async () => {
    const staff = await person('staff', { role: 10 })
    const root = await person('chief', { role: 100 })
    const outsider = await person('out', { member: false })
    const other = await person('other')
    await site.users.links.link(
      { id: other.id, username: '', ip: '' },
      { provider: 'email', subject: `other${count}@x.test` },
    )
    await site.users.links.link(
      { id: owner.id, username: '', ip: '' },
      { provider: 'email', subject: `boss@${domain}` },
    )
    await enforce()
    for (const one of [staff, root, outsider, other]) expect(await one.login()).toMatchObject({ success: true })
    expect((await site.login(`boss${count}`, `boss${count} password`)).json).toMatchObject({ success: true })
    // Nobody of them is found by an address either: the organisation must not get into their accounts.
    for (const { address, id } of [staff, root, outsider]) {
      acme.state.person = { sub: `${address}`, email: address, email_verified: true }
      expect(idIn(await go(site.browser()))).not.toBe(id)
    }
  })

  it('answers wrong passwords alike for members, others and nobody, by their addresses', async () => {
    const [member, outsider] = [await person('ada'), await person('out', { member: false })]
    await enforce()
    const answers = [member.address, outsider.address, `nobody${count}@${domain}`].map(async (by, index) => {
      const { json } = await site.login(by, 'wrong', { from: `10.78.${index}.${count}` })
      return { ...json, request_id: '' }
    })
    const [one, ...others] = await Promise.all(answers)
    expect(one).toMatchObject({ code: 'sso_or_credentials_wrong' })
    expect(others).toEqual([one, one])
  })

  it('lets somebody suspended back into the own account', async () => {
    const ada = await person('ada')
    await enforce()
    expect(await ada.login()).toMatchObject(required)
    await site.database.query
      .insertInto('scim_users')
      .values({
        organisation_id: organisation,
        user_id: ada.id,
        state: 'suspended',
        made_account: 0,
        version: 1,
        user_name: ada.address,
        name_key: `=${ada.address}`,
        external_id: '',
        attributes: '{}',
        created_time: 1,
        changed_time: 1,
      })
      .execute()
    expect(await ada.login()).toMatchObject({ success: true })
  })

  it('is the way for somebody new in the domain, who gets the address', async () => {
    await enforce()
    const address = `new${count}@${domain}`
    elsewhere.state.person = { id: 90_000 + count, login: `new${count}`, email: address }
    elsewhere.state.emails = [{ email: address, primary: true, verified: true }]
    expect((await site.browser().go('github')).json).toMatchObject(required)
    acme.state.person = { sub: `new-${count}`, email: address, email_verified: true }
    const id = idIn(await go(site.browser()))
    expect((await site.stored(id)).email).toBe(address)
    // Of other domains it vouches for no address, verified or not.
    acme.state.person = { sub: `far-${count}`, email: `far${count}@other.test`, email_verified: true }
    expect((await site.stored(idIn(await go(site.browser())))).email).toBe('')
  })

  describe('ends', () => {
    const free = async (end: () => Promise<unknown>) => {
      const ada = await person('ada')
      await enforce()
      expect(await ada.login()).toMatchObject(required)
      await end()
      expect(await ada.login()).toMatchObject({ success: true })
    }

    it('with the provider switched off', () => free(() => change({ enabled: false, enforced: true })))
    it('with the provider deleted', () => free(() => owner.call('DELETE', `${path()}/${idOf()}`)))
    it('when the site takes providers from organisations, and goes on when it gives them back', () =>
      free(() => site.setOption('OrganisationProvidersEnabled', 'false')).finally(() =>
        site.setOption('OrganisationProvidersEnabled', 'true'),
      ))
    it('with the membership', () =>
      free(() => site.database.query.deleteFrom('memberships').where('role', '=', 'member').execute()))
    it('with the proof', () =>
      free(async () => {
        await site.database.query.updateTable('organisations').set({ domain_proof: null }).execute()
        await site.directory.changed()
      }))
  })

  it('belongs to one of two organisations that enforce it in the same moment', async () => {
    await create()
    const rival = await site.person(`racer${count}`, 1)
    const other = await foundOrganisation(site.database, rival.id)
    await prove(other.organisation, domain)
    const theirs = `/api/organisation/${other.organisation}/identity_providers`
    const body = { ...provider, slug: 'rival' }
    await rival.call('POST', theirs, body)
    const all = () => site.database.query.updateTable('identity_providers')
    await all().set({ owner_sign_in_time: 1 }).execute()
    const ids = [idOf(), site.directory.bySlug('rival')?.id]
    for (let round = 0; round < 5; round += 1) {
      await all().set({ enforced: 0, domains: '', enforced_domain: null }).execute()
      await site.directory.changed()
      const answers = await Promise.all([
        owner.call('PUT', `${path()}/${ids[0]}`, { ...provider, enforced: true }),
        rival.call('PUT', `${theirs}/${ids[1]}`, { ...body, enforced: true }),
      ])
      expect(answers.map(({ json }) => json.code ?? 'enforced').toSorted()).toEqual([
        'enforced',
        'provider_domain_taken',
      ])
      const rows = await site.database.query
        .selectFrom('identity_providers')
        .select('slug')
        .where('enforced', '=', 1)
        .execute()
      expect(rows).toHaveLength(1)
      expect(site.directory.requiredFor(`ada@${domain}`)?.slug).toBe(rows[0]?.slug)
    }
    // Rows of a server of the version before lock no user out.
    await all().set({ enforced: 0, domains: '' }).execute()
    await site.directory.changed()
    for (const [by, at, more] of [
      [owner, `${path()}/${ids[0]}`, provider],
      [rival, `${theirs}/${ids[1]}`, body],
    ] as const) {
      expect((await by.call('PUT', at, { ...more, enforced: true })).json).toMatchObject({ data: { enforced: true } })
      await by.call('PUT', at, { ...more, enforced: false })
    }
  })

  it('belongs to the site or to the organisation where both enforce it in the same moment', async () => {
    await create()
    const id = idOf()
    const root = await site.person(`root${count}`, 100)
    const theSites = { ...provider, slug: 'site', domains: [`first.${domain}`, domain] }
    const query = () => site.database.query
    for (let round = 0; round < 5; round += 1) {
      await query().deleteFrom('identity_providers').where('slug', '=', 'site').execute()
      await query().updateTable('identity_providers').set({ owner_sign_in_time: 1 }).execute()
      await owner.call('PUT', `${path()}/${id}`, { ...provider, enforced: false })
      const answers = await Promise.all([
        owner.call('PUT', `${path()}/${id}`, { ...provider, enforced: true }),
        root.call('POST', '/api/identity_providers', { ...theSites, enforced: true }),
        root.call('POST', '/api/identity_providers', { ...theSites, slug: 'site2', domains: [domain], enforced: true }),
      ])
      expect(answers.map(({ json }) => json.code ?? 'enforced').toSorted()).toEqual([
        'enforced',
        'provider_domain_taken',
        'provider_domain_taken',
      ])
      const rows = await query().selectFrom('identity_providers').select('slug').where('enforced', '=', 1).execute()
      expect(rows).toHaveLength(1)
      expect(site.directory.requiredFor(`ada@${domain}`)?.slug).toBe(rows[0]?.slug)
      await query().deleteFrom('identity_providers').where('slug', '=', 'site2').execute()
      await site.directory.changed()
    }
  })

  it('is free again once nobody is enforced for it', async () => {
    await create()
    const id = idOf()
    const root = await site.person(`root${count}`, 100)
    const query = () => site.database.query
    await query().updateTable('identity_providers').set({ owner_sign_in_time: 1 }).execute()
    const theirs = (enforced: boolean) => owner.call('PUT', `${path()}/${id}`, { ...provider, enforced })
    const theSites = { ...provider, slug: 'site', domains: [domain], enforced: true }
    const made = await root.call('POST', '/api/identity_providers', theSites)
    const at = `/api/identity_providers/${idIn(made.json)}`
    expect((await theirs(true)).json).toMatchObject({ code: 'provider_domain_taken' })
    expect((await root.call('PUT', at, { ...theSites, domains: ['other.test'] })).json).toMatchObject({ success: true })
    expect((await theirs(true)).json).toMatchObject({ data: { enforced: true } })
    expect((await root.call('PUT', at, theSites)).json).toMatchObject({ code: 'provider_domain_taken' })
    await theirs(false)
    expect((await root.call('PUT', at, theSites)).json).toMatchObject({ success: true })
    await root.call('DELETE', at)
    expect((await theirs(true)).json).toMatchObject({ data: { enforced: true } })
    await query()
      .transaction()
      .execute((trx) => endEnforcement(trx, organisation))
    await site.directory.changed()
    expect((await root.call('POST', '/api/identity_providers', theSites)).json).toMatchObject({ success: true })
  })

  it('belongs to one organisation, and the site’s own comes first', async () => {
    await enforce()
    const rival = await site.person(`rival${count}`, 1)
    const other = await foundOrganisation(site.database, rival.id)
    await prove(other.organisation, domain)
    const theirs = `/api/organisation/${other.organisation}/identity_providers`
    const body = { ...provider, slug: 'rival' }
    await rival.call('POST', theirs, body)
    await site.database.query
      .updateTable('identity_providers')
      .set({ owner_sign_in_time: 1 })
      .where('slug', '=', 'rival')
      .execute()
    const id = site.directory.bySlug('rival')?.id
    expect((await rival.call('PUT', `${theirs}/${id}`, { ...body, enforced: true })).json).toMatchObject({
      code: 'provider_domain_taken',
    })
    await change({ enforced: false })
    expect((await rival.call('PUT', `${theirs}/${id}`, { ...body, enforced: true })).json).toMatchObject({
      data: { enforced: true },
    })
    expect(site.directory.requiredFor(`ada@${domain}`)).toMatchObject({ slug: 'rival' })
    expect(await change({ enforced: true })).toMatchObject({ code: 'provider_domain_taken' })
    await site.database.query
      .updateTable('identity_providers')
      .set({ enforced: 1, domains: domain, organisation_id: 0 })
      .where('slug', '=', 'acme')
      .execute()
    await site.directory.changed()
    expect(site.directory.requiredFor(`ada@${domain}`)).toMatchObject({ slug: 'acme', organisationId: 0 })
  })
})
