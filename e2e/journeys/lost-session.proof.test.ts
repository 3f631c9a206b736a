import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { browserIsHere, findings, openBrowser, wide } from '../support/browser.ts'
import { addChannel, addCustomer, type Person, signIn } from '../support/operator.ts'
import { rootPassword, type Site, startSite } from '../support/site.ts'
import { openPage, openSignedInTab, settle } from './console.ts'

const password = 'battery-staple'

/** Sessions that end while something is typed, against the started product: nothing typed is lost, nothing sent twice. */
describe.skipIf(!browserIsHere)('a session that ends while a form is open', () => {
  let browser: Browser
  let site: Site
  let root: Person
  let page: Page
  let complaints: string[]

  beforeAll(async () => {
    ;[browser, site] = await Promise.all([openBrowser(), startSite()])
    root = await signIn(site.url)
    await addChannel(root, 'https://upstream.example')
    await addCustomer(site.url, root, 'alice', 500_000)
  })
  beforeEach(async () => {
    await page?.context().close()
    const visitor = await openSignedInTab(browser, site.url, { theme: 'light', language: 'en', size: wide })
    page = visitor.page
    complaints = visitor.complaints
  })
  afterAll(async () => {
    await browser?.close()
    await site?.remove()
  })

  const renewal = () => page.getByRole('dialog', { name: 'Session expired' })
  const nameField = () => page.locator('#sheet-form input[type=text], #sheet-form input:not([type])').first()
  const save = () => page.locator('button[type=submit][form=sheet-form]')
  const renew = async (word = rootPassword): Promise<void> => {
    await renewal().getByLabel('Password', { exact: true }).fill(word)
    await renewal().getByRole('button', { name: 'Sign in', exact: true }).click()
  }
  /** Requests of this method whose path begins so, from now on. */
  const sentTo = (method: string, path: string): string[] => {
    const sent: string[] = []
    page.on('request', (request) => {
      if (request.method() === method && new URL(request.url()).pathname.startsWith(path)) sent.push(request.url())
    })
    return sent
  }
  const named = async (path: string, name: string): Promise<number> => {
    const entries = await root.must<{ name: string }[]>('GET', path)
    return entries.filter((entry) => entry.name === name).length
  }

  it('keeps the form of a channel, and saves it once after a new sign-in', async () => {
    await openPage(page, `${site.url}/channel/edit/1`)
    await nameField().fill('main, renamed')
    const sent = sentTo('PUT', '/api/channel/')
    await page.context().clearCookies()
    await save().click()
    await renewal().waitFor()
    expect(await nameField().inputValue()).toBe('main, renamed')
    await settle(page)
    expect(await findings(page)).toEqual([])
    await renew('not the password')
    await renewal().getByRole('alert').getByText(/\S/).waitFor()
    await renew()
    await page.locator('#sheet-form').waitFor({ state: 'detached' })
    expect(await named('/api/channel/?p=0&page_size=100', 'main, renamed')).toBe(1)
    // One was refused, one was done.
    expect(sent).toHaveLength(2)
  })

  it('makes one key, and no second, when the session ends before it is made', async () => {
    await openPage(page, `${site.url}/token?add=1`)
    await nameField().fill('only once')
    await page.context().clearCookies()
    await save().click()
    await renewal().waitFor()
    await renew()
    await page.locator('#sheet-form').waitFor({ state: 'detached' })
    expect(await named('/api/token/?p=0&page_size=100', 'only once')).toBe(1)
  })

  it('keeps edited settings when the user logs out in another window', async () => {
    await openPage(page, `${site.url}/setting?tab=other`)
    const box = page.locator('[id="option-SystemName"] input')
    await box.fill('Acme gateway')
    const other = await page.context().newPage()
    await other.goto(`${site.url}/about`)
    await other.evaluate(async () => {
      await fetch('/api/user/logout')
      localStorage.removeItem('user')
    })
    await renewal().waitFor()
    expect(await box.inputValue()).toBe('Acme gateway')
    await renew()
    await renewal().waitFor({ state: 'detached' })
    expect(await box.inputValue()).toBe('Acme gateway')
    await page.getByRole('status').filter({ hasText: 'unsaved change' }).getByRole('button').last().click()
    await page.getByText(/unsaved change/).waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Acme gateway' }).first().waitFor()
  })

  it('says that another account is there, and sends nothing in its name', async () => {
    await openPage(page, `${site.url}/channel/edit/1`)
    await nameField().fill('by alice?')
    const sent = sentTo('PUT', '/api/channel/')
    await page.context().clearCookies()
    await save().click()
    await renewal().waitFor()
    const other = await page.context().newPage()
    await other.goto(`${site.url}/login`)
    await other.locator('#username').fill('alice')
    await other.locator('#password').fill(password)
    await other.locator('form button[type=submit]').click()
    await other.waitForURL((url) => url.pathname !== '/login')
    const question = page.getByRole('dialog', { name: 'Signed in with another account' })
    await question.getByText(/opened by root, but alice/).waitFor()
    expect(sent).toHaveLength(1)
    expect(await nameField().inputValue()).toBe('by alice?')
    await question.getByRole('button', { name: 'Sign in as root' }).click()
    await renew()
    await page.locator('#sheet-form').waitFor({ state: 'detached' })
    expect(await named('/api/channel/?p=0&page_size=100', 'by alice?')).toBe(1)
  })

  it('offers the sign-in again in a bar after it was put off, beside the failure of the form', async () => {
    await openPage(page, `${site.url}/channel/edit/1`)
    await nameField().fill('put off')
    await page.context().clearCookies()
    await save().click()
    await renewal().getByRole('button', { name: 'Later' }).click()
    const failure = page.getByRole('alert').filter({ hasText: 'session expired' })
    await failure.waitFor()
    const [above, button] = await Promise.all([failure.boundingBox(), save().boundingBox()])
    expect((button?.y ?? 0) - (above?.y ?? 0)).toBeLessThan(120)
    await save().click()
    await renew()
    await page.locator('#sheet-form').waitFor({ state: 'detached' })
    expect(complaints.filter((line) => !line.includes('401'))).toEqual([])
  })
})
