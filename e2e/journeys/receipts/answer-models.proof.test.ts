import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Bench, openBench } from '../../support/bench.ts'
import { browserIsHere, openBrowser, picture, wide } from '../../support/browser.ts'
import { json } from '../../support/scripted-upstream.ts'
import { field, openPage, openRow, openSignedInTab, rowMenu, settle } from '../console.ts'

/** Answers on which other models worked: their receipts, and a model without a price that root declares. */

const [asked, known, unknown] = ['claude-sonnet-5-5', 'claude-opus-5', 'claude-oracle-9']

const advisedBy = (model: string) => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: asked,
  content: [{ type: 'text', text: 'Hello' }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: {
    input_tokens: 412,
    output_tokens: 531,
    iterations: [
      { type: 'message', input_tokens: 412, output_tokens: 89 },
      { type: 'advisor_message', model, input_tokens: 823, output_tokens: 1612 },
      { type: 'message', input_tokens: 1348, cache_read_input_tokens: 412, output_tokens: 442 },
    ],
  },
})

interface Row {
  readonly quota: number
  readonly type: number
}

describe.runIf(browserIsHere)('an answer on which another model worked', () => {
  let bench: Bench
  let browser: Browser

  beforeAll(async () => {
    bench = await openBench({}, { type: 14, models: asked })
    browser = await openBrowser()
    const body = { model: asked, max_tokens: 8000, messages: [{ role: 'user', content: 'Say hello.' }] }
    for (const model of [known, unknown]) {
      bench.upstream.answer = json(advisedBy(model))
      expect((await bench.ask({ path: '/v1/messages', body })).status).toBe(200)
    }
  })
  afterAll(async () => {
    await browser?.close()
    await bench?.close()
  })

  const charges = async (): Promise<readonly number[]> => {
    const { items } = await bench.operator.must<{ items: readonly Row[] }>('GET', '/api/log/?p=1&page_size=10&type=2')
    return items.map(({ quota }) => quota)
  }

  it('has a receipt that names it, and is corrected once root has declared what it costs', async () => {
    await expect.poll(async () => (await charges()).length).toBe(2)
    expect(await charges()).toContain(26_643)
    const { page, complaints } = await openSignedInTab(browser, bench.site.url, {
      theme: 'light',
      language: 'en',
      size: wide,
    })
    await openPage(page, `${bench.site.url}/log`)
    for (const [at, name] of ['known', 'unknown'].entries()) {
      await page
        .locator('[data-row]')
        .nth(1 - at)
        .click()
      await page
        .getByText(at === 0 ? known : `No price yet for: ${unknown}`)
        .first()
        .waitFor()
      await settle(page)
      await picture(page, `answer-models-${name}`)
      await page.keyboard.press('Escape')
      await settle(page)
    }
    await expect
      .poll(async () => (await bench.operator.must<{ items: readonly unknown[] }>('GET', '/api/declared_usage/')).items)
      .toHaveLength(1)
    await openPage(page, `${bench.site.url}/unknown-usage`)
    await openRow(page, unknown)
    await rowMenu(page, unknown, 'Set billing…')
    await field(page, 'Use the price of').fill(known)
    await picture(page, 'answer-models-declare')
    await page.getByRole('button', { name: 'Save and recalculate' }).click()
    await page.getByText(`Priced as ${known}`).waitFor()
    await settle(page)
    await picture(page, 'answer-models-declared')
    const spent = async (): Promise<number> =>
      (await bench.operator.must<{ used_quota: number }>('GET', `/api/user/${bench.customer.id}`)).used_quota
    await expect.poll(spent, { timeout: 120_000, interval: 1000 }).toBe(2 * 26_643)
    expect(complaints).toEqual([])
  })
})
