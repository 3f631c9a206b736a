import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSignedInTab } from './journeys/console.ts'
import { browserIsHere, openBrowser, wide } from './support/browser.ts'
import { addCustomer, type Person, signIn } from './support/operator.ts'
import { type Site, startSite } from './support/site.ts'

const demoWords = '本站仅作演示之用，无服务端！'

let site: Site
let root: Person
let customer: Person

beforeAll(async () => {
  site = await startSite()
  root = await signIn(site.url)
  customer = await addCustomer(site.url, root, 'visitor', 1_000_000)
})
afterAll(() => site?.remove())

const switchOption = (key: string, value: boolean) => root.must('PUT', '/api/option/', { key, value })

describe('a demo site', () => {
  beforeAll(() => switchOption('DemoSiteEnabled', true))
  afterAll(() => switchOption('DemoSiteEnabled', false))

  it.each([
    ['PUT', '/api/option/', { key: 'RetryTimes', value: '5' }],
    ['POST', '/api/channel/', { name: 'mine', key: 'sk-x', models: 'gpt-4o', group: 'default' }],
    ['POST', '/api/user/', { username: 'newcomer', password: 'long enough' }],
    ['POST', '/api/user/manage', { id: 2, action: 'disable' }],
    ['DELETE', '/api/user/2', undefined],
    ['PUT', '/api/user/self', { display_name: 'mine now' }],
    ['GET', '/api/user/token', undefined],
    ['POST', '/api/token/', { name: 'mine' }],
  ])('refuses %s %s of root', async (method, path, body) => {
    const answer = await root.ask(method, path, body)
    expect(answer).toMatchObject({ success: false, message: demoWords, code: 'demo_site' })
  })

  it('says so with status 405', async () => {
    const headers = { 'content-type': 'application/json', 'new-api-user': '1' }
    const login = await fetch(`${site.url}/api/user/login`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ username: 'visitor', password: 'battery-staple' }),
    })
    expect(((await login.json()) as { success: boolean }).success).toBe(true)
    const cookie = login.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    const refused = await fetch(`${site.url}/api/user/self`, {
      method: 'PUT',
      headers: { ...headers, cookie, 'new-api-user': String(customer.id) },
      body: JSON.stringify({ password: 'mine and only mine', original_password: 'battery-staple' }),
    })
    expect([refused.status, await refused.json()]).toEqual([405, expect.objectContaining({ message: demoWords })])
  })

  it('lets everyone read', async () => {
    for (const path of ['/api/channel/?p=0', '/api/user/?p=1', '/api/option/', '/api/audit', '/api/log/?p=1']) {
      expect((await root.ask('GET', path)).success, path).toBe(true)
    }
    for (const path of ['/api/user/self', '/api/token/?p=0', '/api/user/models']) {
      expect((await customer.ask('GET', path)).success, path).toBe(true)
    }
    expect(await (await signIn(site.url, 'visitor', 'battery-staple')).must('GET', '/api/user/logout')).toBeUndefined()
  })

  it.skipIf(!browserIsHere)('shows a notice in the console', async () => {
    const browser = await openBrowser()
    try {
      const { page } = await openSignedInTab(browser, site.url, { theme: 'light', language: 'zh', size: wide })
      await page.getByText('演示站点').first().waitFor()
      await page.goto(`${site.url}/user`)
      await page.locator('[data-row]', { hasText: 'visitor' }).locator('button[aria-haspopup=menu]').last().click()
      await page.getByRole('menuitem', { name: '禁用', exact: true }).click()
      const confirm = page.locator('[role=dialog] button', { hasText: '禁用' })
      const refusal = page.getByText(demoWords).first()
      await confirm.or(refusal).first().waitFor()
      if (await confirm.isVisible()) await confirm.click()
      await refusal.waitFor()
    } finally {
      await browser.close()
    }
  })
})

describe('self-use mode', () => {
  const register = () =>
    root.ask('POST', '/api/user/register', { username: 'stranger', password: 'long enough', password2: 'long enough' })

  it('refuses registration, and offers it again when it is over', async () => {
    await switchOption('SelfUseModeEnabled', true)
    expect((await register()).success).toBe(false)
    const { data } = await root.ask<{ self_use_mode_enabled: boolean }>('GET', '/api/status')
    expect(data.self_use_mode_enabled).toBe(true)
    const users = await root.must<{ total: number }>('GET', '/api/user/search?keyword=stranger')
    expect(users.total).toBe(0)
    await switchOption('SelfUseModeEnabled', false)
    expect(await register()).toMatchObject({ success: true })
  })
})
