import OpenAI from 'openai'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBooks } from '../support/books.ts'
import { browserIsHere, openBrowser, openTab, wide } from '../support/browser.ts'
import { type FakeUpstream, startFakeUpstream } from '../support/fake-upstream.ts'
import { signIn } from '../support/operator.ts'
import { rootPassword, type Site, startSite } from '../support/site.ts'
import {
  choose,
  field,
  logIn,
  notified,
  openFormTab,
  openPage,
  openRow,
  openSignedInTab,
  rowMenu,
  settle,
} from './console.ts'

/** The day of an operator, through the screens, against the started product; each step needs the ones before it. */
describe.skipIf(!browserIsHere)('an operator', () => {
  const look = { theme: 'light', language: 'en', size: wide } as const
  let browser: Browser
  let site: Site
  let upstream: FakeUpstream
  let page: Page
  let complaints: string[]
  let apiKey = ''
  let requestId = ''

  beforeAll(async () => {
    ;[browser, site, upstream] = await Promise.all([openBrowser(), startSite(), startFakeUpstream({ delayMs: 15 })])
    const visitor = await openSignedInTab(browser, site.url, look)
    page = visitor.page
    complaints = visitor.complaints
  })
  afterAll(async () => {
    await browser?.close()
    await site?.remove()
    await upstream?.close()
  })

  const go = (path: string) => openPage(page, site.url + path)
  const toast = (text: string | RegExp) => notified(page, text)
  const sheet = () => page.getByRole('dialog')

  it('adds a channel, and takes over the models that the provider offers', async () => {
    await go('/channel')
    await page.getByRole('button', { name: 'Add channel' }).first().click()
    await sheet().getByRole('button', { name: 'OpenAI', exact: true }).click()
    await field(sheet(), 'Name').fill('First provider')
    await field(sheet(), 'Base URL').fill(`${upstream.url}/v1`)
    await sheet().getByRole('button', { name: 'Remove /v1' }).click()
    expect(await field(sheet(), 'Base URL').inputValue()).toBe(upstream.url)
    await field(sheet(), 'Key').fill('sk-upstream')
    await openFormTab(sheet(), 'Models')
    await sheet().getByRole('button', { name: 'Clear all models' }).click()
    await sheet().getByRole('button', { name: 'Get model list' }).click()

    const diff = sheet().getByRole('region', { name: 'Provider’s models' })
    await expect.poll(() => diff.innerText()).toContain('New 3')
    await diff.getByLabel('gpt-5').uncheck()
    await diff.getByRole('button', { name: 'Apply, 2 models in all' }).click()
    await expect.poll(() => sheet().innerText()).toContain('2 chosen')
    await openFormTab(sheet(), 'Connect')
    await sheet().getByRole('button', { name: 'Test', exact: true }).click()
    await sheet()
      .getByText(/^gpt-4o answered in \d+\.\d s$/)
      .waitFor()
    await field(sheet(), 'Base URL').fill('http://127.0.0.1:1')
    await sheet().getByRole('button', { name: 'Test', exact: true }).click()
    await sheet().getByText('Nothing answers at http://127.0.0.1:1 (connection refused).').waitFor()
    await field(sheet(), 'Base URL').fill(upstream.url)
    await sheet().getByRole('button', { name: 'Save' }).click()
    await sheet().waitFor({ state: 'detached' })
    const row = await openRow(page, 'First provider')
    expect(await row.innerText()).toContain('Enabled')
    expect(await row.innerText()).toContain('Not tested')
  })

  it('tests the channel and sees how fast it answered', async () => {
    await rowMenu(page, 'First provider', 'Test')
    await toast(/First provider works/)
    await page.locator('[data-row]', { hasText: /\d\.\d\d s/ }).waitFor()
  })

  it('changes the priority in the table, and takes it back', async () => {
    const cell = page.getByRole('button', { name: /^Edit Priority of First provider/ })
    await cell.click()
    await page.getByRole('textbox', { name: /^Edit Priority/ }).fill('7')
    await page.keyboard.press('Enter')
    await toast('0 → 7')
    await page.getByRole('button', { name: /currently 7$/ }).waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('button', { name: /^Edit Priority.*currently 0$/ }).waitFor()
  })

  it('makes an API key and is shown how to use it', async () => {
    await go('/token')
    await page.getByRole('button', { name: 'Create API key' }).first().click()
    await field(sheet(), 'Name').fill('production')
    await sheet().getByRole('switch', { name: 'No budget limit' }).check()
    await sheet().getByRole('button', { name: 'Save' }).click()
    const panel = page.getByRole('dialog', { name: 'API key created' })
    apiKey = (await panel.locator('code, .mono').filter({ hasText: /^sk-/ }).first().innerText()).trim()
    expect(apiKey).toMatch(/^sk-[A-Za-z0-9]{48}$/)
    const snippet = await panel.locator('pre').innerText()
    expect(snippet).toContain(apiKey)
    expect(snippet).toContain(`${site.url}/v1/chat/completions`)
    await panel.getByRole('button', { name: 'Done' }).click()
    const row = await openRow(page, 'production')
    expect(await row.innerText()).not.toContain(apiKey)
    await row.getByRole('button', { name: 'Show key' }).click()
    await row.getByText(apiKey).waitFor()
  })

  it('finds a call of the official client in the log, and a receipt that adds up to its charge', async () => {
    const client = new OpenAI({ apiKey, baseURL: `${site.url}/v1`, maxRetries: 0 })
    const { data, response } = await client.chat.completions
      .create({ model: 'gpt-4o', messages: [{ role: 'user', content: 'Say hello.' }] })
      .withResponse()
    expect(data.choices[0]?.message.content).toContain('The gate opens')
    requestId = response.headers.get('x-oneapi-request-id') ?? ''
    const { quota } = await openBooks(await signIn(site.url)).entry(requestId)

    await go('/log')
    const row = page.locator('[data-row]', { hasText: 'production' }).first()
    await row.getByRole('button').first().click()
    const receipt = sheet().getByRole('table', { name: 'Receipt' })
    const total = receipt.locator('tfoot')
    // 20 × $2.50 + 50 × $10.00 per million
    expect(quota).toBe(275)
    expect(await total.innerText()).toContain('$0.000550')
    const amounts = await receipt.locator('tbody td:last-child').allInnerTexts()
    const sum = amounts.reduce((all, text) => all + Number(text.replace('$', '').replace('−', '-')), 0)
    expect(sum).toBeCloseTo(quota / 500_000, 10)
    expect(new URL(page.url()).searchParams.get('request')).toBe(requestId)
    await page.keyboard.press('Escape')
    await sheet().waitFor({ state: 'detached' })
  })

  it('filters the log, and finds the filters again after a reload', async () => {
    await choose(page, 'Type', 'Success')
    await page.getByRole('button', { name: 'Filter by Key' }).click()
    await page.getByRole('combobox', { name: 'Key', exact: true }).fill('production')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Key: production' }).waitFor()
    await page.getByRole('button', { name: 'Cost' }).click()
    await page.reload()
    await settle(page)
    await page.getByRole('button', { name: 'Type: Success' }).waitFor()
    await page.getByRole('button', { name: 'Key: production' }).waitFor()
    expect(await page.getByRole('columnheader', { name: 'Cost' }).getAttribute('aria-sort')).toBe('descending')
    await expect.poll(() => page.locator('[data-row]').count()).toBe(1)
    await page.getByRole('button', { name: 'Remove filter Key' }).click()
    await page.locator('[data-row="1"]').waitFor()
    expect(new URL(page.url()).searchParams.has('token_name')).toBe(false)
  })

  it('watches an answer grow in the playground', async () => {
    await go('/playground')
    await page.getByLabel('Model', { exact: true }).first().click()
    await page.getByRole('option', { name: 'gpt-4o', exact: true }).click()
    await page.getByRole('textbox', { name: /^Type a message/ }).fill('Which gate is open?')
    await page.keyboard.press('Enter')
    const log = page.getByRole('log')
    await log.getByText('The gate').last().waitFor()
    await log.getByText('place on the bill.').waitFor()
    await log.getByText(/20 in · 50 out/).waitFor()
    expect(upstream.seen.at(-1)).toMatchObject({ model: 'gpt-4o', stream: true })
    expect(JSON.stringify(upstream.seen.at(-1))).not.toContain('how may I help')
  })

  it('adds a user, grants quota with a reason, and ends the session of a user by disabling the account', async () => {
    await go('/user')
    await page.getByRole('button', { name: 'Add user' }).first().click()
    await field(sheet(), 'Username or email').fill('alice')
    await sheet().getByText('Set password').click()
    await field(sheet(), 'Password').fill('battery-staple')
    await sheet().getByRole('button', { name: 'Add user' }).click()
    await sheet().waitFor({ state: 'detached' })

    await rowMenu(page, 'alice', 'Edit')
    await sheet().getByRole('button', { name: '$10.00', exact: true }).click()
    await expect.poll(() => sheet().innerText()).toContain('= $10.00')
    await sheet().getByRole('button', { name: 'Save' }).click()
    await sheet().getByText('Enter a reason').waitFor()
    await field(sheet(), 'Reason').fill('paid by invoice')
    await sheet().getByRole('button', { name: 'Save' }).click()
    await sheet().waitFor({ state: 'detached' })
    await page.locator('[data-row]', { hasText: 'alice' }).getByText('$10.00').waitFor()

    const alice = await openSignedInTab(browser, site.url, look, { username: 'alice', password: 'battery-staple' })
    await rowMenu(page, 'alice', 'Disable')
    await sheet().getByRole('button', { name: 'Disable user' }).click()
    await page.locator('[data-row]', { hasText: 'alice' }).getByText('Banned').waitFor()
    await alice.page.goto(`${site.url}/token`)
    await alice.page.waitForURL(/\/login/)
    await alice.page.locator('#username').fill('alice')
    await alice.page.locator('#password').fill('battery-staple')
    await alice.page.locator('form button[type=submit]').click()
    await alice.page.getByRole('alert').filter({ hasText: /./ }).waitFor()
    expect(new URL(alice.page.url()).pathname).toBe('/login')
    await alice.page.context().close()
  })

  it('disables the channel, after which calls to it fail', async () => {
    await go('/channel')
    await rowMenu(page, 'First provider', 'Disable')
    await page.locator('[data-row]', { hasText: 'Disabled' }).waitFor()
    const client = new OpenAI({ apiKey, baseURL: `${site.url}/v1`, maxRetries: 0 })
    const call = client.chat.completions.create({ model: 'gpt-4o', messages: [{ role: 'user', content: 'Hello?' }] })
    await expect(call).rejects.toThrow(/503/)
    // The row is written a moment after the answer, and the list stays as it was read.
    const latestFailure = async (): Promise<string> => {
      await go('/log?type=5')
      return (await page.locator('[data-row="0"]').allInnerTexts()).join()
    }
    await expect.poll(latestFailure).toContain('Failed 503')
  })

  it('changes name and password, which ends the sessions elsewhere', async () => {
    const elsewhere = await openSignedInTab(browser, site.url, look)
    await go('/personal')
    await field(page, 'Display name').fill('Gatekeeper')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('button', { name: 'Gatekeeper, account menu' }).waitFor()

    await page.getByRole('link', { name: 'Security' }).click()
    await field(page, 'Current password').fill(rootPassword)
    await field(page, 'New password').fill('a-longer-battery')
    await field(page, 'Repeat the new password').fill('a-longer-battery')
    await page.getByRole('button', { name: 'Change password' }).click()
    await toast('Password changed')

    await elsewhere.page.goto(`${site.url}/channel`)
    await elsewhere.page.waitForURL(/\/login/)
    await elsewhere.page.context().close()
    await go('/channel')
    await openRow(page, 'First provider')
  })

  it('logs out and comes back to where the link pointed', async () => {
    await page.getByRole('button', { name: /, account menu$/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.waitForURL(/\/login/)
    await page.goto(`${site.url}/log?type=5`)
    await page.waitForURL(/\/login/)
    await logIn(page, 'root', 'a-longer-battery')
    expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe('/log?type=5')
    expect(complaints).toEqual([])
  })
})

describe.skipIf(!browserIsHere)('the very first start', () => {
  it('lets root in with the known password from this machine, and asks to change it', async () => {
    const [browser, site] = await Promise.all([openBrowser(), startSite({ INITIAL_ROOT_PASSWORD: '' })])
    const { page, complaints } = await openTab(browser, { theme: 'light', language: 'zh', size: wide })
    await page.goto(`${site.url}/`)
    await page.getByRole('link', { name: '登录' }).first().click()
    await logIn(page, 'root', '123456')
    const warning = page.getByRole('note').filter({ hasText: '你正在使用默认密码' })
    await warning.getByRole('link', { name: '修改密码' }).click()
    await page.waitForURL(/\/personal\/security#password/)
    await page.getByLabel('当前密码').and(page.locator(':focus')).waitFor()
    await expect.poll(() => warning.count()).toBe(0)
    expect(complaints).toEqual([])
    await browser.close()
    await site.remove()
  })
})
