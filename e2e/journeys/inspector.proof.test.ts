import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
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
    ;({ page } = await openSignedInTab(browser, site.url, look, { username: 'root', password: rootPassword }))
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
    await field(form, 'Target').fill('roo')
    await page.getByRole('option', { name: 'root' }).click()
    await form.getByRole('button', { name: 'Start inspection' }).click()
    await page.getByRole('region', { name: 'Running now' }).getByText('root').first().waitFor()

    await ask('Say hello to the inspector.')
    await openPage(page, `${site.url}/inspector`)
    await page.getByRole('region', { name: 'Inspection', exact: true }).getByText('is inspecting your calls').waitFor()
    await page.locator('main table tbody tr button').first().click()
    const sheet = page.getByRole('dialog')
    for (const side of ['Client request', 'Upstream request', 'Upstream response', 'Client response'])
      await sheet.getByRole('region', { name: side }).first().waitFor()
    expect(await sheet.getByRole('region', { name: 'Upstream request' }).first().innerText()).toContain(
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
    await sheet.getByRole('table', { name: 'Compared with original' }).waitFor()
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
    await page.getByText('No inspection running').waitFor()
    const own = await root.must<{ until: number }>('GET', '/api/inspector/self')
    expect(own.until).toBe(0)
  })

  it('shows where a second gateway answers otherwise, and the call in the log', async () => {
    const usage = { prompt_tokens: 20, completion_tokens: 3, total_tokens: 23 }
    const choices = [{ index: 0, message: { role: 'assistant', content: 'Another answer.' }, finish_reason: 'stop' }]
    const second = createServer((request, response) => {
      request.resume()
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ choices, usage }))
    }).listen(0, '127.0.0.1')
    await once(second, 'listening')
    const { port } = second.address() as AddressInfo
    for (const [name, value] of Object.entries({
      DualRunAddress: `http://127.0.0.1:${port}`,
      DualRunKey: 'sk-second',
      DualRunShare: '100',
      DualRunDailyQuota: '1000000000',
    }))
      await root.must('PUT', '/api/option/', { key: name, value })
    await ask('Say hello to both.')
    await expect.poll(() => root.must('GET', '/api/dual_run/sums')).toMatchObject({ compared: 1, same_usage: 0 })
    second.close()
    await openPage(page, `${site.url}/inspector`)
    const compared = page.getByRole('region', { name: 'Dual run' })
    await compared.getByRole('button', { name: /^Open Comparison/ }).click()
    const sheet = page.getByRole('dialog')
    await sheet.locator('ins', { hasText: 'Another' }).waitFor()
    await sheet.getByRole('link', { name: 'View in log' }).click()
    await page.waitForURL(/\/log\?request=/)
    await page.getByRole('dialog').getByText('gpt-4o').first().waitFor()
  })
})
