import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { OptionEntry } from '@tollgate/contract'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { browserIsHere, findings, judgedIn, openBrowser, picture, sidewaysOverflow, wide } from '../support/browser.ts'
import { type Person, signIn } from '../support/operator.ts'
import { type Site, startSite } from '../support/site.ts'
import { notified, openSignedInTab, settle, twoLooks } from './console.ts'

const tabs = ['operation', 'prices', 'ratelimit', 'models', 'system', 'other'] as const

const releases = [
  {
    tag_name: 'v99.0.0',
    body: '## Changes\n\n**Everything** is faster.\n\n<script>alert(1)</script>',
    html_url: 'https://example.com/releases/v99.0.0',
    published_at: '2026-11-01T00:00:00Z',
  },
]

/** The settings of a site through its screens, against the started product; each step needs the ones before it. */
describe.skipIf(!browserIsHere)('the settings', () => {
  const look = { theme: 'light', language: 'en', size: wide } as const
  let browser: Browser
  let site: Site
  let root: Person
  let releaseList: Server
  let page: Page
  let complaints: string[]

  beforeAll(async () => {
    releaseList = createServer((_, response) => response.end(JSON.stringify(releases)))
    await new Promise<void>((resolve) => releaseList.listen(0, '127.0.0.1', resolve))
    ;[browser, site] = await Promise.all([openBrowser(), startSite()])
    root = await signIn(site.url)
    const visitor = await openSignedInTab(browser, site.url, look)
    page = visitor.page
    complaints = visitor.complaints
  })
  afterAll(async () => {
    await browser?.close()
    await site?.remove()
    releaseList?.close()
  })

  const open = async (on: Page, tab: string): Promise<void> => {
    await on.goto(`${site.url}/setting/${tab}`)
    await on.locator('section.panel').first().waitFor()
    await settle(on)
  }
  const option = (key: string) => page.locator(`[id="option-${key}"]`)
  const box = (key: string) => option(key).locator('input, textarea').first()
  const saveSection = async (title: string): Promise<void> => {
    await page.getByRole('button', { name: `Save: ${title}`, exact: true }).click()
  }
  /** The effect of changed prices is shown before they are saved. */
  const acceptPrices = async (): Promise<void> => {
    const preview = page.getByRole('dialog', { name: /Review changes/ })
    await preview.getByRole('heading', { name: 'Price changes' }).waitFor()
    await preview.getByRole('button', { name: 'Save', exact: true }).click()
  }
  const saved = async (): Promise<void> => {
    await notified(page, /^Saved/)
    await page.getByText(/unsaved change/).waitFor({ state: 'detached' })
  }
  const stored = async (): Promise<Record<string, string>> => {
    const entries = await root.must<OptionEntry[]>('GET', '/api/option/')
    return Object.fromEntries(entries.map(({ key, value }) => [key, value]))
  }

  it('keeps switches, numbers, texts, lists, choices and groups of the operation tab', async () => {
    await open(page, 'operation')
    await page.getByRole('switch', { name: /Log failed calls/ }).click()
    await box('RetryTimes').fill('3')
    await box('TopUpLink').fill('https://shop.example/')
    await box('ChannelDisableThreshold').fill('7.5')
    await box('SensitiveWords').fill('first\nsecond')
    await page.getByRole('combobox', { name: 'Default granularity' }).selectOption('Week')
    const groups = page.getByRole('group', { name: 'Group ratio' })
    await groups.getByRole('button', { name: 'Add a row' }).click()
    await groups.getByLabel('Name in row 4').fill('team')
    await groups.getByLabel('Content of row 4').fill('0.8')
    const chats = page.getByRole('group', { name: 'Chat links' })
    await chats.getByRole('button', { name: 'Add a row' }).click()
    await chats.getByLabel('Name in row 1').fill('Pages')
    await chats.getByLabel('Content of row 1').fill('https://pages.example/?k={key}')
    await expect.poll(() => page.getByRole('list', { name: 'Changes: General' }).innerText()).toMatch(/0\s*→\s*3/)
    await picture(page, 'settings-changed')
    await page.getByRole('button', { name: 'Save all' }).click()
    await acceptPrices()
    await saved()
    await page.reload()
    await option('RetryTimes').waitFor()
    expect(await page.getByRole('switch', { name: /Log failed calls/ }).isChecked()).toBe(false)
    expect(await box('RetryTimes').inputValue()).toBe('3')
    expect(await box('TopUpLink').inputValue()).toBe('https://shop.example')
    expect(await box('ChannelDisableThreshold').inputValue()).toBe('7.5')
    expect(await box('SensitiveWords').inputValue()).toBe('first\nsecond')
    expect(await page.getByRole('combobox', { name: 'Default granularity' }).inputValue()).toBe('week')
    expect(await groups.getByLabel('Content of row 4').inputValue()).toBe('0.8')
    const now = await stored()
    expect(JSON.parse(now.GroupRatio ?? '')).toEqual({ default: 1, vip: 1, svip: 1, team: 0.8 })
    expect(JSON.parse(now.Chats ?? '')).toEqual([{ Pages: 'https://pages.example/?k={key}' }])
  })

  it('keeps the price maps, and puts the ratios back after asking', async () => {
    await open(page, 'prices?prices=ratios')
    await box('ModelRatio').fill('{"own-model": 2}')
    await saveSection('Model prices')
    await acceptPrices()
    await saved()
    expect((await stored()).ModelRatio).toBe('{\n  "own-model": 2\n}')
    await page.getByRole('button', { name: 'Reset model ratios' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Reset model ratios' }).click()
    await notified(page, 'Model ratios reset')
    expect((await stored()).ModelRatio).toBe('{}')
    await expect.poll(() => box('ModelRatio').inputValue()).toBe('{}')
  })

  it('keeps the limits of the rate-limit tab', async () => {
    await open(page, 'ratelimit')
    await box('ModelRequestRateLimitCount').fill('120')
    await saveSection('Model request rate limit')
    await saved()
    await page.reload()
    await option('ModelRequestRateLimitCount').waitFor()
    expect(await box('ModelRequestRateLimitCount').inputValue()).toBe('120')
  })

  it('checks JSON of the models tab when it is left, asks before a risk, keeps decimals', async () => {
    await open(page, 'models')
    const versions = box('gemini.version_settings')
    await versions.fill('{\n  "default": "v1beta",\n}')
    await versions.blur()
    await page
      .getByText(/^Invalid JSON at line 3/)
      .first()
      .waitFor()
    await saveSection('Gemini')
    await notified(page, 'Check the marked fields')
    await versions.fill('{"default": "v1"}')
    await box('claude.thinking_adapter_budget_tokens_percentage').fill('0.55')
    await page.getByRole('switch', { name: /Pass requests through/ }).click()
    await page.getByRole('button', { name: 'Save all' }).click()
    await page
      .getByRole('dialog')
      .getByText(/without model mapping/)
      .waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Save anyway' }).click()
    await saved()
    await page.reload()
    await option('gemini.version_settings').waitFor()
    expect(await versions.inputValue()).toBe('{\n  "default": "v1"\n}')
    expect(await box('claude.thinking_adapter_budget_tokens_percentage').inputValue()).toBe('0.55')
    expect(await page.getByRole('switch', { name: /Pass requests through/ }).isChecked()).toBe(true)
  })

  it('keeps secrets and tags of the system tab, and never shows a secret again', async () => {
    await open(page, 'system')
    await box('SMTPToken').fill('hunter2-hunter2')
    await box('SMTPServer').fill('smtp.example.com')
    const domains = box('EmailDomainWhitelist')
    await domains.fill('example.com')
    await domains.press('Enter')
    await page.getByRole('switch', { name: /Sign in with GitHub/ }).click()
    await box('GitHubClientId').fill('github-id')
    await page.getByRole('button', { name: 'Save all' }).click()
    await saved()
    await page.reload()
    await option('SMTPToken').getByText('Stored', { exact: true }).waitFor()
    expect(await box('SMTPToken').inputValue()).toBe('')
    expect(await page.content()).not.toContain('hunter2')
    expect(await page.getByRole('switch', { name: /Sign in with GitHub/ }).isChecked()).toBe(true)
    expect((await stored()).EmailDomainWhitelist).toMatch(/,example\.com$/)
    await option('SMTPToken').getByRole('button', { name: 'Remove stored value' }).click()
    await saveSection('Mail (SMTP)')
    await saved()
    await option('SMTPToken').getByText('Not set').waitFor()
  })

  it('says at the field why the server refused, and keeps what was typed', async () => {
    await page.getByRole('switch', { name: /Sign in with OIDC/ }).click()
    await saveSection('Sign-in and registration')
    await option('oidc.enabled')
      .getByText(/client ID and secret first/)
      .waitFor()
    expect(await page.getByRole('switch', { name: /Sign in with OIDC/ }).isChecked()).toBe(true)
    await page.getByRole('button', { name: 'Discard all' }).click()
  })

  it('shows the texts of the other tab as visitors will see them, and the new name at once', async () => {
    await open(page, 'other')
    await box('Notice').fill('**Hello** <script>alert(1)</script>')
    await page.getByRole('region', { name: 'Preview: Announcement' }).locator('strong', { hasText: 'Hello' }).waitFor()
    await box('SystemName').fill('North Gate')
    await page.getByRole('button', { name: 'Save all' }).click()
    await saved()
    await page.locator('header').getByText('North Gate').waitFor()
    await page.reload()
    await option('Notice').waitFor()
    expect(await box('Notice').inputValue()).toContain('**Hello**')
  })

  it('show a newer release, with its notes sanitised', async () => {
    await page.getByRole('button', { name: 'Check for updates' }).click()
    await page.getByText('Set a release list to check').waitFor()
    const { port } = releaseList.address() as AddressInfo
    await box('ReleaseListAddress').fill(`http://127.0.0.1:${port}/releases`)
    await saveSection('Updates')
    await saved()
    await page.getByRole('button', { name: 'Check for updates' }).click()
    await page.getByText('Update available: v99.0.0').waitFor()
    await page.locator('strong', { hasText: 'Everything' }).waitFor()
    await picture(page, 'settings-update')
  })

  it('finds a setting anywhere and goes to it', async () => {
    await page.getByRole('combobox', { name: 'Search settings' }).fill('屏蔽词列表')
    await page.getByRole('option', { name: /SensitiveWords/ }).click()
    await page.waitForURL(/sensitive-words\?field=SensitiveWords/)
    await page.waitForFunction(() => document.activeElement?.closest('[id="option-SensitiveWords"]') !== null)
  })

  it('guards unsaved edits against other pages and a reload, and takes them along to other sections', async () => {
    await open(page, 'operation')
    await box('RetryTimes').fill('9')
    await page.getByRole('link', { name: 'Gemini', exact: true }).click()
    await option('gemini.safety_settings').waitFor()
    await page.getByText(/unsaved change/).waitFor()
    await page.getByRole('link', { name: 'General', exact: true }).click()
    await page.getByRole('link', { name: 'Calls' }).first().click()
    await page.getByRole('dialog').getByRole('button', { name: 'Keep editing' }).click()
    const dialogOpened = page.waitForEvent('dialog')
    const reloading = page.evaluate(() => window.location.reload())
    const dialog = await dialogOpened
    expect(dialog.type()).toBe('beforeunload')
    await dialog.dismiss()
    await reloading
    expect(await box('RetryTimes').inputValue()).toBe('9')
    await page.getByRole('link', { name: 'Calls' }).first().click()
    await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click()
    await page.waitForURL((url) => url.pathname === '/log')
    expect((await stored()).RetryTimes).toBe('3')
    expect(complaints).toEqual([])
  })

  it('lets admins look and change nothing', async () => {
    const password = 'battery-staple'
    await root.must('POST', '/api/user/', { username: 'ada', password, display_name: 'Ada' })
    const { id } = await signIn(site.url, 'ada', password)
    await root.must('POST', '/api/user/manage', { id, action: 'promote' })
    const admin = await openSignedInTab(browser, site.url, look, { username: 'ada', password })
    await open(admin.page, 'system')
    await admin.page.getByText('Only the super admin can change these settings').waitFor()
    await expect.poll(() => admin.page.locator('[id="option-SMTPServer"]').count()).toBe(0)
    await expect.poll(() => admin.page.getByRole('button', { name: /^Save/ }).count()).toBe(0)
    await picture(admin.page, 'settings-admin')
    expect(await findings(admin.page)).toEqual([])
    expect(admin.complaints).toEqual([])
    await admin.page.context().close()
  })

  it.each(twoLooks)('are whole, readable and quiet: $name', async (each) => {
    const visitor = await openSignedInTab(browser, site.url, each)
    const faults: string[] = []
    for (const tab of tabs) {
      await open(visitor.page, tab)
      await picture(visitor.page, `settings-${tab}.${each.name}`)
      const overflow = await sidewaysOverflow(visitor.page)
      if (overflow > 0) faults.push(`${tab}: scrolls sideways by ${overflow} px`)
      faults.push(...(await findings(visitor.page, judgedIn(each))).map((finding) => `${tab}: ${finding}`))
    }
    expect(faults).toEqual([])
    expect(visitor.complaints).toEqual([])
    await visitor.page.context().close()
  })
})
