import OpenAI, { toFile } from 'openai'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPage, openSignedInTab, settle } from '../journeys/console.ts'
import { browserIsHere, openBrowser, phone, sidewaysOverflow, wide } from '../support/browser.ts'
import { type FakeUpstream, startFakeUpstream } from '../support/fake-upstream.ts'
import { addChannel, addKey, signIn } from '../support/operator.ts'
import { rootPassword, type Site, startSite } from '../support/site.ts'

describe.skipIf(!browserIsHere)('batches in the console', () => {
  const look = { theme: 'dark', language: 'en', size: wide } as const
  let browser: Browser
  let site: Site
  let upstream: FakeUpstream
  let page: Page
  let key = ''

  beforeAll(async () => {
    ;[browser, site, upstream] = await Promise.all([openBrowser(), startSite(), startFakeUpstream({ delayMs: 5 })])
    const root = await signIn(site.url)
    await addChannel(root, upstream.url)
    key = await addKey(root)
    ;({ page } = await openSignedInTab(browser, site.url, look, { username: 'root', password: rootPassword }))
  })
  afterAll(async () => {
    await browser?.close()
    await site?.remove()
    await upstream?.close()
  })

  it('show how to begin, then a batch to its end, and make its failed requests again', async () => {
    await openPage(page, `${site.url}/batches`)
    await page.getByText('No batches in this range').waitFor()
    await page.getByText('purpose=batch').first().waitFor()

    const client = new OpenAI({ apiKey: key, baseURL: `${site.url}/v1`, maxRetries: 0 })
    const lines = ['gpt-4o', 'gpt-4o', 'no-such-model'].map((model, index) =>
      JSON.stringify({
        custom_id: `line-${index}`,
        method: 'POST',
        url: '/v1/chat/completions',
        body: { model, messages: [{ role: 'user', content: 'hi' }] },
      }),
    )
    const file = await client.files.create({
      file: await toFile(Buffer.from(lines.join('\n')), 'in.jsonl'),
      purpose: 'batch',
    })
    const asked = { input_file_id: file.id, endpoint: '/v1/chat/completions', completion_window: '24h' } as const
    const made = await client.batches.create(asked)
    await expect
      .poll(async () => (await client.batches.retrieve(made.id)).status, { timeout: 60_000, interval: 500 })
      .toBe('completed')

    await openPage(page, `${site.url}/batches`)
    await page.locator('main table tbody tr button').first().click()
    const sheet = page.getByRole('dialog')
    await sheet.getByText(made.id).first().waitFor()
    await sheet.getByText('1 failed').waitFor()
    await sheet.getByRole('button', { name: 'Download errors' }).waitFor()
    await sheet.getByRole('button', { name: 'Retry unsuccessful requests' }).click()
    await expect.poll(() => page.locator('main table tbody tr').count(), { timeout: 60_000, interval: 500 }).toBe(2)
    await page.setViewportSize(phone)
    await settle(page)
    expect(await sidewaysOverflow(page)).toBeLessThanOrEqual(0)
  })
})
