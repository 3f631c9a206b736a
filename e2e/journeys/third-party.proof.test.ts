import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type AuthorizationServer,
  client,
  startAuthorizationServer,
} from '../../server/test/support/features/authorization-server.ts'
import { browserIsHere, findings, openBrowser, openTab, phone, sidewaysOverflow, wide } from '../support/browser.ts'
import { signIn } from '../support/operator.ts'
import { type Site, startSite } from '../support/site.ts'
import { openSignedInTab, settle } from './console.ts'

const look = { theme: 'light', language: 'en', size: wide } as const
const small = { theme: 'dark', language: 'zh', size: phone } as const

describe.skipIf(!browserIsHere)('a visitor with an account at a login provider', () => {
  let browser: Browser
  let site: Site
  let provider: AuthorizationServer

  beforeAll(async () => {
    ;[browser, site, provider] = await Promise.all([openBrowser(), startSite(), startAuthorizationServer()])
    const root = await signIn(site.url)
    const options: Readonly<Record<string, string>> = {
      ServerAddress: site.url,
      'oidc.client_id': client.id,
      'oidc.client_secret': client.secret,
      'oidc.well_known': `${provider.origin}/.well-known/openid-configuration`,
      'oidc.enabled': 'true',
      WeChatServerAddress: provider.origin,
      WeChatServerToken: 'helper token',
      WeChatAccountQRCodeImageURL: `${site.url}/favicon.svg`,
      WeChatAuthEnabled: 'true',
      GitHubClientId: 'id',
      GitHubOAuthEnabled: 'true',
      LinuxDOClientId: 'id',
      LinuxDOOAuthEnabled: 'true',
      TelegramBotToken: '4242:token',
      TelegramOAuthEnabled: 'true',
    }
    for (const [key, value] of Object.entries(options)) await root.must('PUT', '/api/option/', { key, value })
  })
  afterAll(async () => {
    await browser?.close()
    await site?.remove()
    await provider?.close()
  })

  it('signs in through the provider and comes back to the page that was asked for', async () => {
    const { page, complaints } = await openTab(browser, look)
    await page.goto(`${site.url}/personal/connections`)
    await page.waitForURL('**/login?**')
    await page.getByRole('button', { name: 'Sign in with OIDC' }).click()
    await page.waitForURL((url) => url.pathname === '/personal/connections')
    await page.getByText('Signed in').waitFor()
    const row = page.locator('#bindings li', { hasText: 'OIDC' })
    await row.getByText('sub-1').waitFor()
    expect(await row.getByRole('button', { name: 'Unlink OIDC' }).isDisabled()).toBe(true)
    await page.goBack()
    expect(new URL(page.url()).pathname).not.toBe('/oauth/oidc')
    expect(complaints).toEqual([])
    await page.context().close()
  })

  it('links it to an account, sees that it worked, and removes it again', async () => {
    provider.state.person = { sub: 'of root', preferred_username: 'the root', name: 'Root' }
    const { page, complaints } = await openSignedInTab(browser, site.url, look)
    await page.goto(`${site.url}/personal/connections`)
    const row = page.locator('#bindings li', { hasText: 'OIDC' })
    await row.getByRole('button', { name: 'Link OIDC' }).click()
    // Settings go on to their first part, at times before the wait begins.
    await page.waitForURL((url) => url.pathname.startsWith('/setting'))
    await page.getByText('Linked').waitFor()
    await page.goto(`${site.url}/personal/connections`)
    await row.getByText('the root').waitFor()
    await row.getByRole('button', { name: 'Unlink OIDC' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Unlink' }).click()
    await page.getByText('Unlinked').waitFor()
    await row.getByText('Not linked').waitFor()
    expect(complaints).toEqual([])
    await page.context().close()
  })

  it('signs in with a code from WeChat', async () => {
    provider.state.weChatCodes.set('246810', 'wx-ada')
    const { page, complaints } = await openTab(browser, look)
    await page.goto(`${site.url}/login`)
    await page.getByRole('button', { name: 'Sign in with WeChat' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Verification code').fill('246810')
    await dialog.getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL((url) => url.pathname === '/')
    await page.getByText('Signed in').waitFor()
    expect(complaints).toEqual([])
    await page.context().close()
  })

  it.each([look, small])('presses what is there while other ways to sign in still come', async (each) => {
    const { page } = await openTab(browser, each)
    let release = (): void => {}
    const released = new Promise<void>((resolve) => (release = resolve))
    // The part with the other ways is held back until the form has been looked at.
    await page.route('**/*.js', async (route) => {
      const response = await route.fetch()
      if ((await response.text()).includes('使用微信登录')) await released
      await route.fulfill({ response })
    })
    await page.goto(`${site.url}/login`, { waitUntil: 'commit' })
    const submit = page.locator('form button[type=submit]')
    const others = page.locator('form button', { hasText: 'GitHub' })
    await submit.waitFor()
    expect(await others.count()).toBe(0)
    const before = await submit.boundingBox()
    release()
    await others.waitFor()
    expect(await submit.boundingBox()).toEqual(before)
    // Files that still come must not be answered in a page that is gone.
    await page.unrouteAll({ behavior: 'wait' })
    await page.context().close()
  })

  it('reads what failed and returns to the login page', async () => {
    const { page } = await openTab(browser, look)
    await page.goto(`${site.url}/oauth/github?code=stolen&state=stolen`)
    await page.getByText('state is empty or not same').waitFor()
    await page.waitForURL((url) => url.pathname === '/login')
    await page.context().close()
  })

  it('finds pages that fit a phone and are accessible', async () => {
    const { page, complaints } = await openSignedInTab(browser, site.url, small)
    await page.goto(`${site.url}/personal#bindings`)
    await page.locator('#bindings li').first().waitFor()
    await settle(page)
    expect([await findings(page), await sidewaysOverflow(page)]).toEqual([[], 0])
    await page.getByRole('button', { name: '绑定 微信' }).click()
    await page.getByRole('dialog').waitFor()
    await settle(page)
    expect([await findings(page), await sidewaysOverflow(page)]).toEqual([[], 0])
    expect(complaints).toEqual([])
    await page.context().close()
    const visitor = await openTab(browser, small)
    await visitor.page.goto(`${site.url}/login`)
    await visitor.page.getByRole('button', { name: '使用微信登录' }).click()
    await visitor.page.getByRole('dialog').waitFor()
    expect([await findings(visitor.page), await sidewaysOverflow(visitor.page)]).toEqual([[], 0])
    await visitor.page.goto(`${site.url}/oauth/github?code=stolen&state=stolen`)
    await visitor.page.getByRole('alert').waitFor()
    expect([await findings(visitor.page), await sidewaysOverflow(visitor.page)]).toEqual([[], 0])
    await visitor.page.context().close()
  })
})
