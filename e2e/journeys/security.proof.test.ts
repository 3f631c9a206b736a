import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Secret, TOTP } from 'otpauth'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { browserIsHere, findings, openBrowser, openTab, wide } from '../support/browser.ts'
import { rootPassword, type Site, startSite } from '../support/site.ts'
import { field, logIn, notified, settle } from './console.ts'

/** The browser's own authenticator in place of a finger on a sensor. */
const plugInAuthenticator = async (page: Page): Promise<void> => {
  const browser = await page.context().newCDPSession(page)
  await browser.send('WebAuthn.enable')
  await browser.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

/** Two-step verification and passkeys in a real browser, against the started product; each step needs the ones before. */
describe.skipIf(!browserIsHere)('a careful person', () => {
  let browser: Browser
  let site: Site
  let page: Page
  let url: string
  let complaints: string[]
  let codes: string[] = []

  beforeAll(async () => {
    ;[browser, site] = await Promise.all([openBrowser(), startSite()])
    // Browsers know passkeys under names only.
    url = site.url.replace('127.0.0.1', 'localhost')
    const visitor = await openTab(browser, { theme: 'light', language: 'en', size: wide })
    page = visitor.page
    complaints = visitor.complaints
    await plugInAuthenticator(page)
    await page.goto(`${url}/login?next=/personal/security`)
    await logIn(page)
  })
  afterAll(async () => {
    await browser?.close()
    await site?.remove()
  })

  const sheet = () => page.getByRole('dialog')
  const toast = (text: string | RegExp) => notified(page, text)

  it('turns on two-step verification with the code of an authenticator', async () => {
    await page.getByRole('button', { name: 'Turn on two-step verification' }).click()
    await sheet().getByRole('img', { name: 'QR code for two-step verification' }).waitFor()
    await settle(page)
    expect(await findings(page)).toEqual([])
    const secret = (await sheet().locator('.mono').first().innerText()).replace(/\s/g, '')
    await field(sheet(), 'Code').fill(new TOTP({ secret: Secret.fromBase32(secret) }).generate())
    await sheet().getByRole('button', { name: 'Verify and turn on' }).click()
    await sheet().getByRole('button', { name: 'I have saved them' }).waitFor()
    codes = await sheet().locator('li').allInnerTexts()
    expect(codes).toHaveLength(10)
    await sheet().getByRole('button', { name: 'I have saved them' }).click()
    await page.getByText('Recovery codes left: 10').waitFor()
  })

  it('adds a passkey', async () => {
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await toast('Passkey added')
    await expect.poll(() => page.locator('#passkeys li').count()).toBe(1)
    await settle(page)
    expect(await findings(page)).toEqual([])
  })

  it('needs the second step next time, for which a recovery code will do, once', async () => {
    await page.context().clearCookies()
    await page.goto(`${url}/login?next=/personal/security`)
    await page.locator('#username').fill('root')
    await page.locator('#password').fill(rootPassword)
    await page.locator('form button[type=submit]').click()
    await page.getByRole('button', { name: 'Use a recovery code' }).click()
    expect(await findings(page)).toEqual([])
    await page.getByLabel('Recovery code').fill(codes[0] ?? '')
    await page.getByRole('button', { name: 'Verify', exact: true }).click()
    await page.getByText('Recovery codes left: 9').waitFor()
  })

  it('confirms with the passkey before a secret is shown, once the sign-in is ten minutes old', async () => {
    const database = new DatabaseSync(join(site.directory, 'tollgate.db'))
    database.exec('update sessions set confirmed_time = confirmed_time - 601')
    database.close()
    await page.getByRole('button', { name: 'Generate new recovery codes' }).click()
    await sheet().getByRole('button', { name: 'Generate new recovery codes' }).click()
    const question = page.getByRole('dialog', { name: 'Confirm it’s you' })
    await question.waitFor()
    await settle(page)
    expect(await findings(page)).toEqual([])
    await question.getByRole('button', { name: 'Use a passkey' }).click()
    await sheet().getByRole('button', { name: 'I have saved them' }).click()
    await page.getByText('Recovery codes left: 10').waitFor()
  })

  it('logs in with the passkey alone', async () => {
    await page.context().clearCookies()
    await page.goto(`${url}/login?next=/personal/security`)
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.waitForURL((address) => address.pathname === '/personal/security')
    await page.getByText('This device').waitFor()
  })

  it('signs the other devices out', async () => {
    await page.getByRole('button', { name: 'Sign out all other devices' }).click()
    await sheet().getByRole('button', { name: 'Sign out all other devices' }).click()
    await toast('Signed out 2 devices')
    await expect.poll(() => page.locator('#sessions li').count()).toBe(1)
    expect(complaints).toEqual([])
  })
})
