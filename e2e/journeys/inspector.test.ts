import OpenAI from 'openai'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { browserIsHere, openBrowser, phone, picture, sidewaysOverflow, wide } from '../support/browser.ts'
import { type FakeUpstream, startFakeUpstream } from '../support/fake-upstream.ts'
import { addChannel, addKey, type Person, signIn } from '../support/operator.ts'
import { rootPassword, type Site, startSite } from '../support/site.ts'
import { field, openPage, openSignedInTab, settle } from './console.ts'

describe.skipIf(!browserIsHere)('the inspector', () => {
  const look = { theme: 'light', language: 'en', size: wide } as const
  let browser: Browser
  let site: Site
  let upstream: FakeUpstream
  let root: Person
  let page: Page
  let key = ''

  beforeAll(async () => {
    ;[browser, site, upstream] = await Promise.all([openBrowser(), startSite(), startFakeUpstream({ delayMs: 5 })])
    root = await signIn(site.url)
    await addChannel(root, upstream.url)
    key = await addKey(root)
    ;({ page } = await openSignedInTab(browser, site.url, look, 'root', rootPassword))
  })
  afterAll(async () => {
    await browser?.close()
    await site?.remove()
    await upstream?.close()
  })

  const ask = (content: string) =>
    new OpenAI({ apiKey: key, baseURL: `${site.url}/v1`, maxRetries: 0 }).chat.completions.create({
      model: 'gpt-4o',
      messages: [{ role: 'user', content }],
    })

  it('starts for a user, who reads that it runs, and shows the four sides of a call', async () => {
    await openPage(page, `${site.url}/inspector`)
    await page.getByRole('button', { name: 'Start inspection' }).click()
    const form = page.getByRole('dialog')
    await form.getByText('User', { exact: true }).click()
    await field(form, 'ID').fill('1')
    await form.getByRole('button', { name: 'Start inspection' }).click()
    await page.getByRole('region', { name: 'Running now' }).getByText('root').first().waitFor()

    await ask('Say hello to the inspector.')
    await openPage(page, `${site.url}/inspector`)
    await page.getByRole('region', { name: 'Inspection', exact: true }).getByText('inspects your calls').waitFor()
    await page.locator('main table tbody tr button').first().click()
    const sheet = page.getByRole('dialog')
    for (const side of ['From the client', 'To the upstream', 'From the upstream', 'To the client'])
      await sheet.getByRole('region', { name: side }).first().waitFor()
    expect(await sheet.getByRole('region', { name: 'To the upstream' }).first().innerText()).toContain(
      'Say hello to the inspector.',
    )
    expect(await sheet.innerText()).not.toContain(key)
    await settle(page)
    await picture(page, 'inspector-wide')
  })

  it('sends a pinned call again and shows the difference', async () => {
    const sheet = page.getByRole('dialog')
    await sheet.getByRole('button', { name: 'Pin', exact: true }).click()
    await sheet.getByRole('button', { name: 'Send', exact: true }).click()
    await sheet.getByRole('table', { name: 'Compared with the original' }).waitFor()
    await settle(page)
    await picture(page, 'inspector-replay')
    await page.setViewportSize(phone)
    await settle(page)
    await picture(page, 'inspector-phone')
    expect(await sidewaysOverflow(page)).toBeLessThanOrEqual(0)
    await page.setViewportSize(wide)
  })

  it('says in the log that the call was inspected, and ends when it is stopped', async () => {
    const { items } = await root.must<{ items: { other: string }[] }>('GET', '/api/log/?p=1&page_size=10&type=2')
    expect(items[0]?.other).toContain('"inspected":true')
    await openPage(page, `${site.url}/inspector`)
    await page.getByRole('button', { name: 'Stop root' }).click()
    await page.getByText('Nothing is inspected now').waitFor()
    const own = await root.must<{ until: number }>('GET', '/api/inspector/self')
    expect(own.until).toBe(0)
  })
})
