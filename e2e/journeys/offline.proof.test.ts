import type { Browser, Page, Response } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { browserIsHere, openBrowser, wide } from '../support/browser.ts'
import { type Site, startSite } from '../support/site.ts'
import { notified, openPage, openSignedInTab, settle } from './console.ts'

/** A line that goes down, files that do not come, and a new version: said once, and nothing typed is lost. */
describe.skipIf(!browserIsHere)('a console whose server is away for a while', () => {
  let browser: Browser
  let site: Site
  let page: Page

  beforeAll(async () => {
    ;[browser, site] = await Promise.all([openBrowser(), startSite()])
  })
  beforeEach(async () => {
    await page?.context().close()
    const visitor = await openSignedInTab(browser, site.url, { theme: 'light', language: 'en', size: wide })
    page = visitor.page
    // Nothing is fetched on suspicion, so what opens is fetched when it opens.
    await page.addInitScript(() => Object.defineProperty(navigator, 'connection', { value: { saveData: true } }))
  })
  afterAll(async () => {
    await browser?.close()
    await site?.remove()
  })

  const bars = (text: string) => page.locator('[role=status]').getByText(text)
  const outdated = 'New version available'
  const name = () => page.locator('main form input').first()
  const openMenu = () => page.locator('header button[aria-haspopup=menu]').last().click()
  const menu = () => page.locator('[role=menu]')

  it('says once that the line is down, and goes on by itself when it is back', async () => {
    await openPage(page, `${site.url}/personal`)
    await name().fill('typed before')
    await page.context().setOffline(true)
    const bar = page.locator('[role=status] > div')
    await bar.first().waitFor()
    expect(await bar.count()).toBe(1)
    // Parts that open meanwhile wait for the connection, and the page stays.
    await openMenu()
    expect(await name().inputValue()).toBe('typed before')
    await page.context().setOffline(false)
    await bar.first().waitFor({ state: 'detached' })
    await menu().waitFor()
    expect(await name().inputValue()).toBe('typed before')
  })

  it('knows that a proxy answers in the place of the server, and waits as well', async () => {
    await openPage(page, `${site.url}/personal`)
    await name().fill('another name')
    let isAway = true
    const badGateway = { status: 502, contentType: 'text/html', body: '<h1>502 Bad Gateway</h1>' }
    await page.route('**/*', (route) => (isAway ? route.fulfill(badGateway) : route.continue()))
    await openMenu()
    await bars('Connection lost').waitFor()
    const saved = page.waitForResponse((response) => response.request().method() === 'PUT')
    await page.locator('main form button[type=submit]').first().click()
    await saved
    // Even the words about the failure have to be fetched first, which is tried twice: each time a style or a script is missing.
    const isMissing = (response: Response) => response.status() === 502 && /\.(js|css)$/.test(response.url())
    await page.waitForResponse(isMissing)
    await page.waitForResponse(isMissing)
    expect(await bars('Connection lost').count()).toBe(1)
    expect(await name().inputValue()).toBe('another name')
    isAway = false
    await bars('Connection lost').waitFor({ state: 'detached' })
    await menu().waitFor()
    await notified(page, 'Reconnected. Try again.')
    expect(await bars(outdated).count()).toBe(0)
    expect(await name().inputValue()).toBe('another name')
    await page.keyboard.press('Escape')
    await page.locator('main form button[type=submit]').first().click()
    await page.locator('.mantine-Notification-root', { hasText: /saved/i }).waitFor()
  })

  it('fetches a file again that did not come', async () => {
    await openPage(page, `${site.url}/personal`)
    const asked: string[] = []
    await page.route('**/assets/*.js', (route) => {
      asked.push(route.request().url())
      return asked.length === 1 ? route.abort() : route.continue()
    })
    await openMenu()
    await menu().waitFor()
    expect(asked.filter((url) => url === asked[0])).toHaveLength(2)
    expect(await page.locator('[role=status] > div').count()).toBe(0)
  })

  it('offers once to reload when a new version has replaced its files, and keeps what is typed', async () => {
    await openPage(page, `${site.url}/personal`)
    await name().fill('typed before')
    let isReplaced = true
    await page.route('**/assets/*.js', (route) => (isReplaced ? route.fulfill({ status: 404 }) : route.continue()))
    await openMenu()
    await bars(outdated).waitFor()
    await page.locator('header button[aria-haspopup=menu]').first().click()
    expect(await bars(outdated).count()).toBe(1)
    expect(await name().inputValue()).toBe('typed before')
    isReplaced = false
    const questions: string[] = []
    page.once('dialog', (question) => {
      questions.push(question.type())
      void question.accept()
    })
    const reload = page.locator('[role=status]').getByRole('button', { name: 'Reload' })
    await Promise.all([page.waitForEvent('load'), reload.click({ noWaitAfter: true })])
    expect(questions).toEqual(['beforeunload'])
    await settle(page)
    expect(await bars(outdated).count()).toBe(0)
  })
})
