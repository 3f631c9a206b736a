import type { LogEntry, Page as LogPage } from '@tollgate/contract'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  browserIsHere,
  findings,
  judgedIn,
  openBrowser,
  openTab,
  picture,
  sidewaysOverflow,
  wide,
} from '../support/browser.ts'
import { openForBusiness, type Person, signIn } from '../support/operator.ts'
import { type ScriptedUpstream, startScriptedUpstream } from '../support/scripted-upstream.ts'
import { type Site, startSite } from '../support/site.ts'
import { notified, openRow, openSignedInTab, settle, twoLooks } from './console.ts'

const models = 'gpt-4o,dall-e-3,claude-3-opus-20240229,my-model,other-model'

/** Prices for visitors, and an operator who changes them, against the started product; each step needs the ones before it. */
describe.skipIf(!browserIsHere)('prices', () => {
  const look = { theme: 'light', language: 'en', size: wide } as const
  let browser: Browser
  let site: Site
  let upstream: ScriptedUpstream
  let root: Person
  let key: string
  let guest: Page
  let page: Page
  let complaints: string[][]

  beforeAll(async () => {
    ;[browser, site, upstream] = await Promise.all([openBrowser(), startSite(), startScriptedUpstream()])
    root = await signIn(site.url)
    key = await openForBusiness(root, upstream.url, { models, group: 'default,vip' })
    await root.must('PUT', '/api/option/', { key: 'GroupRatio', value: '{"default": 1, "vip": 0.5}' })
    const [visitor, operator] = await Promise.all([openTab(browser, look), openSignedInTab(browser, site.url, look)])
    guest = visitor.page
    page = operator.page
    complaints = [visitor.complaints, operator.complaints]
  })
  afterAll(async () => {
    await browser?.close()
    await site?.remove()
    await upstream?.close()
  })

  /** Makes a call of 20 prompt and 50 completion tokens and answers its status. */
  const call = async (model: string): Promise<number> => {
    const response = await fetch(`${site.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hi' }] }),
    })
    await response.text()
    return response.status
  }
  const charges = async (model: string): Promise<number[]> => {
    const { items } = await root.must<LogPage<LogEntry>>('GET', `/api/log/?type=2&model_name=${model}`)
    return items.map(({ quota }) => quota)
  }
  const priceField = (part: string, model: string) => page.getByLabel(`${part}: ${model}`, { exact: true })
  const preview = () => page.getByRole('dialog', { name: /Review changes/ })
  const save = async (): Promise<void> => {
    await page.getByRole('button', { name: 'Save: Model prices', exact: true }).click()
    await preview().getByText('Price changes').waitFor()
  }
  const confirm = async (): Promise<void> => {
    await preview().getByRole('button', { name: 'Save', exact: true }).click()
    await notified(page, /^Saved/)
    await preview().waitFor({ state: 'detached' })
  }

  it('are shown to visitors, for the group that they choose', async () => {
    await guest.goto(`${site.url}/pricing?view=table`)
    expect(await (await openRow(guest, 'gpt-4o')).innerText()).toMatch(/\$2\.50\s+\$10\.00\s+\$1\.25/)
    expect(await (await openRow(guest, 'dall-e-3')).innerText()).toContain('$0.04 / call')
    expect(await (await openRow(guest, 'my-model')).innerText()).toContain('No price')
    await guest.getByText('Prices for the default group (ratio 1). Sign in to see yours.').waitFor()
    await (await openRow(guest, 'gpt-4o')).getByRole('button', { name: 'Show the prices of group vip' }).click()
    await guest.getByText('Prices of group vip, ratio 0.5').waitFor()
    expect(await (await openRow(guest, 'gpt-4o')).innerText()).toMatch(/\$1\.25\s+\$5\.00\s+\$0\.625/)
    expect(guest.url()).toContain('group=vip')
    await guest.getByPlaceholder(/Search \d+ models/).fill('OPUS')
    await guest.getByText('1–1 of 1').waitFor()
    expect(await (await openRow(guest, 'claude-3-opus')).innerText()).toContain('$37.50')
    await settle(guest)
    expect(await findings(guest)).toEqual([])
  })

  it('of one model stand beside call examples, and lead through the login to the playground', async () => {
    await guest.goto(`${site.url}/pricing?view=table`)
    await (await openRow(guest, 'gpt-4o')).getByRole('button', { name: 'gpt-4o', exact: true }).press('Enter')
    const sheet = guest.getByRole('dialog', { name: 'gpt-4o', exact: true })
    await sheet.getByText(`curl '${site.url}/v1/chat/completions'`).waitFor()
    expect(await sheet.getByRole('listitem').last().innerText()).toMatch(/vip[\s\S]*\$1\.25[\s\S]*\$5\.00/)
    await settle(guest)
    await picture(guest, 'pricing-model')
    expect(await findings(guest)).toEqual([])
    await sheet.getByRole('link', { name: 'Try in the playground' }).click()
    await guest.waitForURL((url) => url.pathname === '/login')
    const next = new URL(guest.url()).searchParams.get('next') ?? ''
    expect(next).toBe('/playground?model=gpt-4o&group=default')
    await page.goto(`${site.url}${next}`)
    await page.getByRole('region', { name: 'Playground' }).getByText('gpt-4o', { exact: true }).first().waitFor()
  })

  it('can be calculated with the arithmetic that charges', async () => {
    await guest.goto(`${site.url}/pricing?calculate=gpt-4o`)
    const sheet = guest.getByRole('dialog', { name: /Cost calculator/ })
    await sheet.getByLabel('Prompt tokens per call').fill('20')
    await sheet.getByLabel('Completion tokens per call').fill('50')
    await sheet.getByText('(20 + 50 × 4) × 1.25 × 1 ÷ 500,000').waitFor()
    expect(await call('gpt-4o')).toBe(200)
    await expect.poll(() => charges('gpt-4o')).toEqual([275])
    expect(await sheet.getByRole('row', { name: /vip/ }).innerText()).toContain('×0.5')
    await settle(guest)
    await picture(guest, 'pricing-calculator')
  })

  it('are changed only after looking at what last week would have cost, and then count at once', async () => {
    await page.goto(`${site.url}/setting?prices=visual&name=gpt-4o`)
    const input = priceField('Input price / 1M', 'gpt-4o')
    await input.waitFor()
    expect([await input.inputValue(), await input.getAttribute('placeholder')]).toEqual(['', '2.5'])
    await expect.poll(() => priceField('Output price / 1M', 'gpt-4o').getAttribute('placeholder')).toBe('10')
    await input.fill('abc')
    await input.press('Enter')
    await page.getByText('Enter a number').waitFor()
    await input.fill('5')
    await input.press('Enter')
    await save()
    const dialog = preview()
    await dialog.getByText('One call, computed anew from its frozen receipt').waitFor()
    const traffic = dialog.getByRole('table', { name: 'Calls in the last 7 days' })
    // The other prices keep the relation to the input price that the list has.
    expect(await traffic.innerText()).toMatch(/gpt-4o\s+1\s+\$0\.00055\s+\$0\.00055\s+\$0\.0011\s+\+100\.0%/)
    const sums = traffic.getByRole('row', { name: /gpt-4o/ }).getByText(/^\$0\.00/)
    for (const [place, exact] of ['$0.00055', '$0.00055', '$0.0011'].entries()) {
      await sums.nth(place).hover()
      await page.getByRole('tooltip').getByText(exact, { exact: true }).waitFor()
      await page.mouse.move(0, 0)
      await page.getByRole('tooltip').waitFor({ state: 'detached' })
    }
    expect(await dialog.innerText()).toMatch(
      /gpt-4o\s+\$2\.5\s*→\s*\$5\s*\+100\.0%\s+\$10\s*→\s*\$20\s*\+100\.0%\s+\$1\.25\s*→\s*\$2\.5/,
    )
    await picture(page, 'pricing-preview')
    expect(await findings(page)).toEqual([])
    await confirm()

    await guest.goto(`${site.url}/pricing?view=table`)
    expect(await (await openRow(guest, 'gpt-4o')).innerText()).toMatch(/\$5\.00\s+\$20\.00\s+\$2\.50/)
    expect(await call('gpt-4o')).toBe(200)
    await expect.poll(() => charges('gpt-4o')).toEqual([550, 275])
    const trail = await root.must<LogPage<{ object_id: string }>>('GET', '/api/audit/?object=option')
    const entry = trail.items.find(({ object_id }) => object_id === 'ModelRatio')
    expect(JSON.stringify(entry)).toMatch(/gpt-4o.*2\.5/)
  })

  it('are filled in together where they are missing, and the models can then be called', async () => {
    expect(await call('my-model')).toBeGreaterThanOrEqual(400)
    await page.goto(`${site.url}/setting?prices=unset`)
    await priceField('Input price / 1M', 'my-model').waitFor()
    await page.getByText('2 without price').waitFor()
    await page.getByRole('button', { name: 'Edit selected (0)' }).click()
    await page.getByText('Select models first').waitFor()
    await page
      .getByRole('checkbox', { name: /Select (all|the page|this page)/i })
      .first()
      .check()
    await page.getByRole('button', { name: 'Edit selected (2)' }).click()
    const form = page.getByRole('dialog', { name: 'Set several models' })
    await form.getByLabel('Value').fill('0.5')
    await form.getByRole('button', { name: 'Apply', exact: true }).click()
    await save()
    await expect.poll(() => preview().innerText()).toMatch(/my-model\s+none\s*→\s*\$1\s/)
    await confirm()
    await page.getByText('Every model has a price').waitFor()
    expect(await call('my-model')).toBe(200)
    await expect.poll(() => charges('my-model')).toEqual([35])
  })

  it('go back to the price lists only after the same look ahead', async () => {
    await page.getByRole('button', { name: 'Reset model ratios' }).click()
    const dialog = page.getByRole('dialog', { name: /Reset the model ratios\?/ })
    await dialog.getByText('Price changes').waitFor()
    expect(await dialog.innerText()).toMatch(/gpt-4o\s+\$5\s*→\s*\$2\.5/)
    await dialog
      .getByText('2 models in use lose their price, and their calls will be refused: my-model, other-model')
      .waitFor()
    await dialog.getByRole('button', { name: 'Reset model ratios' }).click()
    await page.getByText('Model ratios reset').waitFor()
    await page.getByText('2 without price').waitFor()
  })

  const firstRow = '[data-row="0"]'

  it.each(twoLooks)('look right: $name', async (look) => {
    const { page: shown, complaints } = await openSignedInTab(browser, site.url, look)
    const faults: string[] = []
    const judge = async (name: string): Promise<void> => {
      await settle(shown)
      await picture(shown, `${name}.${look.name}`)
      const overflow = await sidewaysOverflow(shown)
      const found = await findings(shown, judgedIn(look))
      faults.push(
        ...found.map((finding) => `${name}: ${finding}`),
        ...(overflow > 0 ? [`${name}: ${overflow} px`] : []),
      )
    }
    const stops = [
      ['pricing-calculator', '/pricing?calculate=gpt-4o', '[role=dialog] table'],
      ['pricing-compare', '/pricing?compare=gpt-4o,claude-3-opus-20240229,dall-e-3,my-model', '[role=dialog] h2'],
      ['prices-visual', '/setting?prices=visual', firstRow],
      ['prices-unset', '/setting?prices=unset', firstRow],
    ] as const
    for (const [name, path, until] of stops) {
      await shown.goto(`${site.url}${path}`)
      await shown.locator(until).first().waitFor()
      await judge(name)
    }
    const field = shown.locator('#price-panel [data-row="0"] input[inputmode=decimal]').first()
    await field.fill('0.1')
    await field.press('Enter')
    await shown.getByRole('button', { name: look.language === 'zh' ? '保存：模型价格' : 'Save: Model prices' }).click()
    await shown.locator('[role=dialog] table').last().waitFor()
    await judge('prices-preview')
    await shown.context().close()
    expect([faults, complaints]).toEqual([[], []])
  })

  it('leave no complaint in the browser', () => {
    expect(complaints).toEqual([[], []])
  })
})
