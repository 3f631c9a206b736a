import type { IdentityProviderChange } from '@tollgate/contract'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { describeEachEngine } from '../../../../test/support/db/databases.ts'
import { idIn, type OidcSite, openOidcSite } from '../../../../test/support/single-sign-on/oidc-site.ts'
import { foundOrganisation } from '../../../../test/support/single-sign-on/organisations.ts'

describeEachEngine('groups of an OpenID Connect provider', (open) => {
  let oidc: OidcSite
  let site: OidcSite['site']
  let root: OidcSite['root']
  let acme: OidcSite['acme']
  let change: OidcSite['change']
  let start: OidcSite['start']
  let go: OidcSite['go']

  beforeAll(async () => {
    oidc = await openOidcSite(await open())
    ;({ site, root, acme, change, start, go } = oidc)
  })
  afterAll(() => oidc.close())
  beforeEach(async () => {
    await oidc.nextPerson()
  })

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
    const row = await site.database.query.selectFrom('tokens').select('status').where('id', '=', key).executeTakeFirst()
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
