import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { describeEachEngine } from '../../../../test/support/db/databases.ts'
import { rootPassword } from '../../../../test/support/features/accounts.ts'
import { idIn, type OidcSite, openOidcSite } from '../../../../test/support/single-sign-on/oidc-site.ts'

describeEachEngine('a provider that is enforced for a domain', (open) => {
  let oidc: OidcSite
  let site: OidcSite['site']
  let root: OidcSite['root']
  let elsewhere: OidcSite['elsewhere']
  let acme: OidcSite['acme']
  let change: OidcSite['change']
  let go: OidcSite['go']
  let people: number

  beforeAll(async () => {
    oidc = await openOidcSite(await open())
    ;({ site, root, elsewhere, acme, change, go } = oidc)
  })
  afterAll(() => oidc.close())
  beforeEach(async () => {
    people = await oidc.nextPerson()
  })

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
    await site.users.links.link({ id, username: '', ip: '' }, { provider: 'github', subject: String(70_000 + people) })
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
