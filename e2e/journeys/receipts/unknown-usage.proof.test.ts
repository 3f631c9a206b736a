import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Bench, hello, openBench } from '../../support/bench.ts'
import { browserIsHere, openBrowser, phone, picture, wide } from '../../support/browser.ts'
import { completion, json, usage } from '../../support/scripted-upstream.ts'
import { openPage, openRow, openSignedInTab, rowMenu, settle } from '../console.ts'

const patience = { timeout: 60_000, interval: 50 }

/** Three kinds of unknown usage, as an operator meets them: in the sidebar, on their screen, and in the log. */

describe.runIf(browserIsHere)('unknown usage', () => {
  let bench: Bench
  let browser: Browser

  beforeAll(async () => {
    bench = await openBench()
    browser = await openBrowser()
    const answers = [
      completion(),
      completion(undefined, { service_tier: 'hyper' }),
      completion(undefined, { usage: { ...usage(20, 50), thought_signature_tokens: 400 } }),
      completion(undefined, { usage: { ...usage(20, 50), server_tool_use: { video_search_requests: 2 } } }),
    ]
    for (const answer of answers) {
      bench.upstream.answer = json(answer)
      expect((await bench.ask({ body: hello })).status).toBe(200)
    }
    const kinds = async () => (await bench.operator.must<{ total: number }>('GET', '/api/declared_usage/')).total
    await vi.waitFor(async () => expect(await kinds()).toBe(3), patience)
    const logged = async () => (await bench.operator.must<{ total: number }>('GET', '/api/log/?type=2')).total
    await vi.waitFor(async () => expect(await logged()).toBe(answers.length), patience)
  })
  afterAll(async () => {
    await browser?.close()
    await bench?.close()
  })

  it('is found in the sidebar, and leads to its calls', async () => {
    const { page, complaints } = await openSignedInTab(browser, bench.site.url, {
      theme: 'light',
      language: 'en',
      size: wide,
    })
    await openPage(page, `${bench.site.url}/log`)
    await page.getByRole('navigation').getByRole('link', { name: 'Unknown usage' }).click()
    await openRow(page, 'thought_signature_tokens')
    await settle(page)
    await picture(page, 'unknown-usage')
    // Headers are whole on a usual screen.
    const cut = await page.locator('thead th').evaluateAll((heads) => {
      // The column of actions stands over what does not fit.
      const end = heads.at(-1)?.getBoundingClientRect().left ?? 0
      return heads
        .slice(0, -1)
        .flatMap((head) => (head.getBoundingClientRect().right > end + 1 ? [head.textContent] : []))
    })
    expect(cut).toEqual([])
    await rowMenu(page, 'hyper', 'View these calls')
    await expect.poll(() => page.locator('[data-row]').count()).toBe(1)
    await page.getByRole('button', { name: 'Provisional: tier openai hyper' }).waitFor()
    await settle(page)
    await picture(page, 'unknown-usage-calls')
    await page.locator('[data-row]').first().click()
    await page.getByText('hyper (service tier)').first().waitFor()
    await settle(page)
    await picture(page, 'unknown-usage-receipt')
    await page.keyboard.press('Escape')
    await openPage(page, `${bench.site.url}/log`)
    // The calls, and a row of the administrator.
    await expect.poll(() => page.locator('[data-row]').count()).toBe(5)
    await page.getByRole('button', { name: 'More filters' }).click()
    await page.getByRole('menuitem', { name: 'Provisional', exact: true }).click()
    await page.getByLabel('All provisional', { exact: true }).click()
    await page.getByRole('button', { name: 'Provisional: All provisional', exact: true }).waitFor()
    await expect.poll(() => page.locator('[data-row]').count()).toBe(3)
    await settle(page)
    await picture(page, 'unknown-usage-log')
    expect(complaints).toEqual([])
  })

  it('is read on a phone in the dark', async () => {
    const { page, complaints } = await openSignedInTab(browser, bench.site.url, {
      theme: 'dark',
      language: 'en',
      size: phone,
    })
    for (const [path, name] of [
      ['/unknown-usage', 'unknown-usage-phone'],
      ['/log', 'unknown-usage-log-phone'],
    ]) {
      await openPage(page, `${bench.site.url}${path}`)
      await page.locator('[data-row]').first().waitFor()
      await settle(page)
      await picture(page, name ?? '')
    }
    expect(complaints).toEqual([])
  })
})
