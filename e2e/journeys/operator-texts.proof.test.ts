import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  browserIsHere,
  findings,
  openBrowser,
  openTab,
  phone,
  picture,
  sidewaysOverflow,
  wide,
} from '../support/browser.ts'
import { openForBusiness, type Person, signIn } from '../support/operator.ts'
import { type ScriptedUpstream, startScriptedUpstream } from '../support/scripted-upstream.ts'
import { type Site, startSite } from '../support/site.ts'
import { logIn, openPage, settle } from './console.ts'

const attack =
  '<img src=x onerror="window.ran=1"><svg onload="window.ran=1"></svg><script>window.ran=1</script><a href="javascript:window.ran=1">click</a><iframe srcdoc="<script>parent.ran=1</script>"></iframe>'

/** Another site's page, which records the messages that it receives. */
const pages = `<!doctype html><title>pages</title><body>framed<script>
addEventListener('message', (event) => { document.body.append(' ' + JSON.stringify(event.data)) })
document.body.append(' ' + location.search + location.hash)
</script></body>`

/** Texts of the operator, and pages of other sites, in a real browser under the real content policy. */
describe.skipIf(!browserIsHere)('texts of the operator', () => {
  let browser: Browser
  let site: Site
  let upstream: ScriptedUpstream
  let root: Person
  let page: Page
  let complaints: string[]

  beforeAll(async () => {
    ;[browser, site, upstream] = await Promise.all([openBrowser(), startSite(), startScriptedUpstream()])
    root = await signIn(site.url)
    await openForBusiness(root, upstream.url)
    const visitor = await openTab(browser, { theme: 'light', language: 'en', size: wide })
    ;({ page, complaints } = visitor)
    await page.route('https://pages.example/**', (route) => route.fulfill({ contentType: 'text/html', body: pages }))
  })
  afterAll(async () => {
    await browser?.close()
    await site?.remove()
    await upstream?.close()
  })

  const set = (key: string, value: string) => root.must('PUT', '/api/option/', { key, value })
  const go = (path: string) => openPage(page, site.url + path)
  /** Without the storage of other sites, which the browser keeps from frames. */
  const ownComplaints = () => complaints.filter((text) => !/SecurityError.*localStorage/.test(text))
  const ran = () => page.evaluate(() => Reflect.get(window, 'ran'))
  const framed = () => page.frameLocator('main iframe').locator('body')

  it('are not needed: the home page says what is offered at this moment', async () => {
    await go('/')
    await page.getByText('3 models available').waitFor()
    await page.getByText('/v1/chat/completions').waitFor()
    const offered = await page.locator('main li code').allInnerTexts()
    expect(offered.length).toBeGreaterThan(4)
    for (const call of offered) {
      const [method = '', path = ''] = call.split(/\s+/)
      const answer = await fetch(site.url + path.replace('{model}', 'gpt-4o'), { method })
      expect([call, answer.status]).toEqual([call, 401])
    }
    await expect.poll(() => page.getByRole('heading', { level: 1 }).count()).toBe(1)
    expect(ownComplaints()).toEqual([])
  })

  it('run nothing, wherever they stand', async () => {
    for (const key of ['Notice', 'HomePageContent', 'About', 'Footer']) await set(key, `${attack}<b>${key} text</b>`)
    for (const [path, key] of [
      ['/', 'HomePageContent'],
      ['/about', 'About'],
    ] as const) {
      await go(path)
      await page.locator('main').getByText(`${key} text`).waitFor()
      await page.getByText('Footer text').waitFor()
      await page.getByText('Notice text').waitFor()
      await page.getByText('click').first().click()
      await expect
        .poll(() => page.locator('#root iframe, #root script, #root [onerror], #root a[href^=javascript]').count())
        .toBe(0)
      expect(await ran()).toBeUndefined()
    }
    // Pictures that are not there, and attempts that the browser reports as blocked while the text is taken apart.
    expect(complaints.filter((text) => !/404|Failed to load resource|has been blocked/.test(text))).toEqual([])
    complaints.length = 0
    for (const key of ['Notice', 'HomePageContent', 'About', 'Footer']) await set(key, '')
  })

  it('name the site from the first paint', async () => {
    await set('SystemName', 'Acme <Gate>')
    await page.goto(`${site.url}/about`, { waitUntil: 'commit' })
    expect(await page.title()).toContain('Acme <Gate>')
    await page.getByRole('link', { name: 'Acme <Gate>' }).waitFor()
    await set('SystemName', 'Tollgate')
  })

  it('may be a page of another site, which receives theme and language', async () => {
    await set('HomePageContent', 'https://pages.example/home?x=1')
    await go('/')
    await framed().getByText('framed ?x=1').waitFor()
    await framed().getByText('{"themeMode":"light"}').waitFor()
    await framed().getByText('{"lang":"en"}').waitFor()
    await page.getByRole('button', { name: 'Theme' }).click()
    await page.getByRole('menuitem', { name: 'Dark' }).click()
    await framed().getByText('{"themeMode":"dark"}').waitFor()
    await page.getByRole('button', { name: 'Theme' }).click()
    await page.getByRole('menuitem', { name: 'Light' }).click()
    await set('HomePageContent', '')
    expect(ownComplaints()).toEqual([])
  })

  it('may be chat pages, which get a key only after the person agreed', async () => {
    await set('Chats', JSON.stringify([{ Pages: 'https://pages.example/chat?k={key}&a={address}' }]))
    await page.goto(`${site.url}/login`)
    await logIn(page)
    await page.getByRole('link', { name: 'Pages' }).click()
    await page.getByText(/pages\.example is not part of this site/).waitFor()
    await settle(page)
    await picture(page, 'chat-consent.en-light-wide')
    expect(await findings(page)).toEqual([])
    await page.getByRole('button', { name: 'Send the key and open' }).click()
    await framed()
      .getByText(/\?k=sk-\w+&a=http%3A%2F%2F127/)
      .waitFor()
    await picture(page, 'chat-page.en-light-wide')
    await page.setViewportSize(phone)
    await go('/chat/0')
    await framed()
      .getByText(/\?k=sk-/)
      .waitFor()
    expect(await sidewaysOverflow(page)).toBe(0)
    await page.setViewportSize(wide)
    expect(ownComplaints()).toEqual([])
    await page.goto(`${site.url}/chat2link`)
    await page.waitForURL(/^https:\/\/pages\.example\/chat\?k=sk-/)
  })
})
