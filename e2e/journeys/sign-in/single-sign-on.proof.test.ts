import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type OidcProvider,
  oidcClient,
  startOidcProvider,
} from '../../../server/test/support/single-sign-on/oidc-provider.ts'
import { type SamlProvider, startSamlProvider } from '../../../server/test/support/single-sign-on/saml-provider.ts'
import {
  browserIsHere,
  findings,
  openBrowser,
  openTab,
  phone,
  picture,
  sidewaysOverflow,
  wide,
} from '../../support/browser.ts'
import { signIn } from '../../support/operator.ts'
import { type Site, startSite } from '../../support/site.ts'
import { openSignedInTab, settle } from '../console.ts'

const look = { theme: 'light', language: 'en', size: wide } as const
const small = { theme: 'dark', language: 'zh', size: phone } as const

describe.skipIf(!browserIsHere)('people of an identity provider', () => {
  let browser: Browser
  let site: Site
  let oidc: OidcProvider
  let saml: SamlProvider
  let organisation = 0

  beforeAll(async () => {
    ;[browser, site, saml] = await Promise.all([openBrowser(), startSite(), startSamlProvider()])
    oidc = await startOidcProvider([`${site.url}/oauth/acme`])
    const root = await signIn(site.url)
    await root.must('PUT', '/api/option/', { key: 'ServerAddress', value: site.url })
    const { id } = await root.must<{ id: number }>('POST', '/api/organisation/', { name: 'Acme' })
    organisation = id
    await root.must('PUT', `/api/organisation/${id}/team`, { team_id: 0, name: 'Engineering' })
  })
  afterAll(async () => {
    await browser?.close()
    await site?.remove()
    await oidc?.close()
    await saml?.close()
  })

  it('are let in by a provider that root sets up in the console, and join a team by their group', async () => {
    const { page, complaints } = await openSignedInTab(browser, site.url, look)
    await page.goto(`${site.url}/setting`)
    await page.getByRole('link', { name: 'Identity providers' }).first().click()
    await page.waitForURL('**/identity-provider')
    await settle(page)
    await picture(page, 'identity-providers-empty')
    await page.getByRole('button', { name: 'Add provider' }).first().click()
    const sheet = page.getByRole('dialog')
    await sheet.getByLabel('Type').selectOption('oidc')
    await sheet.getByLabel('Name', { exact: false }).first().fill('Acme')
    await sheet.getByLabel('Slug').fill('acme')
    await sheet.getByText(`${site.url}/oauth/acme`).waitFor()
    await sheet.getByLabel('Issuer').fill(oidc.origin)
    await sheet.getByLabel('Client ID').fill(oidcClient.id)
    await sheet.getByLabel('Client secret').fill(oidcClient.secret)
    await sheet.getByLabel('Scopes').fill('openid profile email groups')
    await sheet.getByRole('button', { name: 'Test connection' }).click()
    await sheet.getByText(`Connected to ${oidc.origin}`).waitFor()
    await sheet.getByRole('button', { name: 'Add rule' }).click()
    await sheet.getByLabel('Group 1').fill('engineers')
    await sheet.getByLabel('Team 1').selectOption({ label: 'Engineering' })
    await settle(page)
    await picture(page, 'identity-provider-form')
    expect([await findings(page), await sidewaysOverflow(page)]).toEqual([[], 0])
    await sheet.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Provider “Acme” saved').waitFor()
    await settle(page)
    await picture(page, 'identity-providers')
    expect(complaints).toEqual([])
    await page.context().close()

    oidc.state.person = { sub: 'ada', name: 'Ada Lovelace', preferred_username: 'ada', groups: ['engineers'] }
    const tab = await openTab(browser, look)
    await tab.page.goto(`${site.url}/organisation/${organisation}`)
    await tab.page.waitForURL('**/login?**')
    await settle(tab.page)
    await picture(tab.page, 'sign-in-by-provider')
    await tab.page.getByRole('button', { name: 'Sign in with Acme' }).click()
    await tab.page.waitForURL((url) => url.pathname.startsWith(`/organisation/${organisation}`))
    await tab.page.getByRole('heading', { name: 'Acme' }).waitFor()
    await tab.page.getByRole('link', { name: 'Members', exact: true }).first().click()
    await tab.page.getByText('Engineering').first().waitFor()
    await settle(tab.page)
    await picture(tab.page, 'joined-by-provider')
    await tab.page.goto(`${site.url}/personal/connections`)
    const row = tab.page.locator('#bindings li', { hasText: 'Acme' })
    await row.getByText('ada').waitFor()
    expect(await row.getByRole('button', { name: 'Unlink Acme' }).isDisabled()).toBe(true)
    await settle(tab.page)
    await picture(tab.page, 'provider-binding')
    expect(tab.complaints).toEqual([])
    await tab.page.context().close()
  })

  it('come by SAML, whose page posts the answer from another site, and are told where to go on a phone', async () => {
    const root = await signIn(site.url)
    await root.must('POST', '/api/identity_providers', {
      slug: 'corp',
      name: 'Corp',
      icon: 'building',
      domains: ['corp.test'],
      enforced: true,
      connection: {
        kind: 'saml',
        issuer: saml.entity,
        sign_in_url: `${saml.origin}/sso`,
        certificates: [saml.certificate],
      },
    })
    saml.know(await (await fetch(`${site.url}/api/sso/corp/metadata`)).text())
    saml.state.person = { nameId: 'grace', attributes: { displayName: ['Grace'], email: ['grace@corp.test'] } }
    const { page, complaints } = await openTab(browser, small)
    await page.goto(`${site.url}/login?next=/personal`)
    await page.locator('#username').fill('grace@corp.test')
    await page.locator('#password').fill('a password of old')
    await page.locator('form button[type=submit]').click()
    await page.getByText('邮箱为 @corp.test 的用户须通过 Corp 登录').waitFor()
    await settle(page)
    await picture(page, 'sign-in-enforced')
    expect([await findings(page), await sidewaysOverflow(page)]).toEqual([[], 0])
    // Beside the sentence, and among all ways below the form.
    await page.getByRole('button', { name: '使用 Corp 登录' }).first().click()
    await page.waitForURL((url) => url.pathname === '/personal')
    await page.getByText('Grace').first().waitFor()
    expect(complaints).toEqual([])
    await page.context().close()
  })

  it('are set up on a phone, too', async () => {
    const { page, complaints } = await openSignedInTab(browser, site.url, small)
    await page.goto(`${site.url}/identity-provider`)
    await page.getByText('强制登录：corp.test').waitFor()
    await settle(page)
    await picture(page, 'identity-providers-phone')
    expect([await findings(page), await sidewaysOverflow(page)]).toEqual([[], 0])
    await page.getByRole('button', { name: '编辑 Corp' }).click()
    await page.getByText(`${site.url}/api/sso/corp/acs`).waitFor()
    await settle(page)
    await picture(page, 'identity-provider-form-phone')
    expect([await findings(page), await sidewaysOverflow(page)]).toEqual([[], 0])
    expect(complaints).toEqual([])
    await page.context().close()
  })
})
