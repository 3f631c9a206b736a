import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import Anthropic from '@anthropic-ai/sdk'
import type { Token } from '@tollgate/contract'
import OpenAI from 'openai'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  browserIsHere,
  findings,
  judgedIn,
  openBrowser,
  phone,
  picture,
  sidewaysOverflow,
  wide,
} from '../support/browser.ts'
import { type FakeUpstream, startFakeUpstream } from '../support/fake-upstream.ts'
import { addChannel, addCustomer, type Person, signIn } from '../support/operator.ts'
import { type Site, startSite } from '../support/site.ts'
import { field, openPage, openRow, openSignedInTab, rowMenu, settle, twoLooks } from './console.ts'

/** A user makes keys, copies them, limits one, and calls with what the console shows. */

const run = promisify(execFile)
const password = 'battery-staple'
const dollar = 500_000
const answerText = 'every token finds its place on the bill'

/** Programs that find the official SDKs, as those of users do. */
const programs = join(import.meta.dirname, '../output')

const runProgram = async (code: string): Promise<string> => {
  mkdirSync(programs, { recursive: true })
  const folder = mkdtempSync(join(programs, 'snippet-'))
  try {
    writeFileSync(join(folder, 'program.mjs'), code)
    const { stdout } = await run(process.execPath, [join(folder, 'program.mjs')])
    return stdout
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const chat = (url: string, apiKey: string, model = 'gpt-4o') =>
  new OpenAI({ apiKey, baseURL: `${url}/v1`, maxRetries: 0 }).chat.completions.create({
    model,
    messages: [{ role: 'user', content: 'Say hello.' }],
  })

describe.skipIf(!browserIsHere)('a user with many keys', () => {
  let browser: Browser
  let site: Site
  let upstream: FakeUpstream
  let page: Page
  let complaints: string[]
  let alice: Person
  let copied: { name: string; key: string }[] = []

  beforeAll(async () => {
    ;[browser, site, upstream] = await Promise.all([
      openBrowser(),
      startSite({ GENERATE_DEFAULT_TOKEN: 'true' }),
      startFakeUpstream({ delayMs: 5 }),
    ])
    const root = await signIn(site.url)
    await addChannel(root, upstream.url)
    alice = await addCustomer(site.url, root, 'alice', 20 * dollar)
    const look = { theme: 'light', language: 'en', size: wide } as const
    const visitor = await openSignedInTab(browser, site.url, look, { username: 'alice', password })
    page = visitor.page
    complaints = visitor.complaints
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  })
  afterAll(async () => {
    await browser?.close()
    await site?.remove()
    await upstream?.close()
  })

  const sheet = () => page.getByRole('dialog')
  const go = (path: string) => openPage(page, site.url + path)
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText())
  const tokens = () => alice.must<{ items: Token[]; total: number }>('GET', '/api/token/browse?page_size=100')
  const save = async (): Promise<void> => {
    await sheet().getByRole('button', { name: 'Save' }).click()
    await sheet().waitFor({ state: 'detached' })
  }

  const firstSteps = () => page.getByRole('region', { name: 'Get started' })

  it.each([wide, phone])('keeps the list where it is while the first steps come', async (size) => {
    const visitor = await openSignedInTab(
      browser,
      site.url,
      { theme: 'light', language: 'zh', size },
      { username: 'alice', password },
    )
    const visited = visitor.page
    /** The steps need the account, which stays on its way until this is resolved. */
    let account = Promise.withResolvers<void>()
    await visited.route('**/api/user/self', async (route) => {
      await account.promise
      await route.continue()
    })
    const below = visited.getByRole('note', { includeHidden: true })
    const steps = visited.locator('#guide-title')
    // The page after the login may have shown the steps already.
    await visited.evaluate(() => {
      for (const key of Object.keys(localStorage)) if (key.includes('guide-height')) localStorage.removeItem(key)
    })
    // On the first visit it is open whether there are steps: what is below appears together with them.
    await visited.goto(`${site.url}/token`)
    await below.waitFor({ state: 'attached' })
    expect([await below.isVisible(), await steps.count()]).toEqual([false, 0])
    account.resolve()
    await steps.waitFor()
    await below.waitFor()
    // Later their place is free from the start.
    account = Promise.withResolvers()
    await visited.goto(`${site.url}/token`)
    await below.waitFor()
    expect(await steps.count()).toBe(0)
    const before = await below.boundingBox()
    account.resolve()
    await steps.waitFor()
    const after = await below.boundingBox()
    await visited.context().close()
    expect(before?.y).toBeGreaterThan(0)
    expect(after?.y).toBe(before?.y)
  })

  it('makes 30 keys at once and sees how to use them', async () => {
    await go('/token')
    await firstSteps().getByText('1 of 3 done').waitFor()
    await page.getByRole('button', { name: 'Create API key' }).first().click()
    await sheet().getByRole('button', { name: 'Save' }).click()
    await sheet().getByText('Enter a name').waitFor()
    await field(sheet(), 'Name').fill('ci')
    await field(sheet(), 'Expires').fill('tomorrow')
    await sheet().getByRole('switch', { name: 'No budget limit' }).uncheck()
    await sheet().getByRole('button', { name: '30', exact: true }).click()
    await sheet().getByText('Enter a valid expiry time').waitFor()
    await sheet().getByRole('button', { name: 'A month' }).click()
    await sheet().getByRole('button', { name: 'Save' }).click()
    await sheet().getByText('30 API keys created.').waitFor()
    await sheet().getByText('/v1/chat/completions').waitFor()
    await sheet().getByRole('button', { name: 'Done' }).click()
    await firstSteps().getByText(`curl '${site.url}/v1/chat/completions'`).waitFor()
    await firstSteps().getByText('Waiting for the first call…').waitFor()
    const { items, total } = await tokens()
    expect(total).toBe(30)
    expect(items.filter(({ name }) => name === 'ci')).toHaveLength(1)
    expect(items.filter(({ name }) => /^ci-[A-Za-z0-9]{6}$/.test(name))).toHaveLength(29)
    const days = items.map(({ expired_time, created_time }) => Math.round((expired_time - created_time) / 86_400))
    expect(new Set(days)).toEqual(new Set([30]))
  })

  it('copies several, after a hint to select some', async () => {
    await page.getByRole('button', { name: 'Copy selected' }).click()
    await page.getByText('Select at least one key').waitFor()
    for (const index of [0, 1, 2]) await page.locator(`[data-row="${index}"] input[type=checkbox]`).click()
    await page.getByRole('button', { name: 'Copy selected' }).click()
    await expect.poll(clipboard).toMatch(/^ci\S* {4}sk-\w{48}\nci\S* {4}sk-\w{48}\nci\S* {4}sk-\w{48}$/)
    copied = (await clipboard()).split('\n').map((line) => {
      const [name = '', key = ''] = line.split(/ {4}/)
      return { name, key }
    })
    for (const { key } of copied) expect((await chat(site.url, key)).choices[0]?.message.content).toContain(answerText)
  })

  it('sees that the first call arrived, and on the key what it cost', async () => {
    await firstSteps().getByText('All done, you are ready to go').waitFor()
    const spent = (await openRow(page, copied[0]?.name ?? '')).getByRole('img', {
      name: /^Daily spend, last 14 days/,
    })
    await spent.waitFor()
    await firstSteps().getByRole('button', { name: 'Got it' }).click()
    await firstSteps().waitFor({ state: 'detached' })
  })

  it('gets the text in a dialog where the browser forbids copying', async () => {
    await page.evaluate(() => {
      navigator.clipboard.writeText = () => Promise.reject(new Error('forbidden'))
    })
    await page.getByRole('button', { name: 'Copy selected' }).click()
    expect(await sheet().getByRole('textbox').inputValue()).toBe(
      copied.map(({ name, key }) => `${name}    ${key}`).join('\n'),
    )
    await go('/token')
  })

  it('limits one to a model and an address, and is refused elsewhere', async () => {
    const [{ name, key } = { name: '', key: '' }] = copied
    await rowMenu(page, name, 'Edit')
    await sheet().getByRole('switch', { name: 'Restrict models' }).click()
    await sheet().getByLabel('Models', { exact: true }).first().click()
    await page.getByRole('option', { name: 'gpt-4o-mini' }).click()
    await page.keyboard.press('Tab')
    await field(sheet(), 'Allowed IPs').fill('10.0.0.0/33')
    await sheet().getByRole('button', { name: 'Save' }).click()
    await sheet().getByText('Line 1 of the IP list is not valid').waitFor()
    await field(sheet(), 'Allowed IPs').fill('10.0.0.0/8')
    await save()
    await (await openRow(page, name)).getByText('Enabled (restricted models)').waitFor()

    const headers = ['-H', `Authorization: Bearer ${key}`]
    for (const path of ['/v1/models', '/v1/dashboard/billing/subscription']) {
      const { stdout } = await run('curl', ['-s', '-w', '%{http_code}', ...headers, site.url + path])
      expect(stdout).toMatch(/您的 IP 不在令牌允许访问的列表中.*403$/)
    }
    await expect(chat(site.url, key, 'gpt-4o-mini')).rejects.toMatchObject({ status: 403 })

    await rowMenu(page, name, 'Edit')
    await field(sheet(), 'Allowed IPs').fill('127.0.0.0/8\n::1')
    await save()
    await expect(chat(site.url, key)).rejects.toMatchObject({
      status: 403,
      message: expect.stringContaining('The token has no access to model gpt-4o'),
    })
    const claude = new Anthropic({ apiKey: key, baseURL: site.url, maxRetries: 0 })
    const request = { max_tokens: 50, messages: [{ role: 'user' as const, content: 'Hi' }] }
    await expect(claude.messages.create({ ...request, model: 'gpt-4o' })).rejects.toMatchObject({ status: 403 })
    expect(await claude.messages.create({ ...request, model: 'gpt-4o-mini' })).toMatchObject({ role: 'assistant' })
  })

  it('did not touch the balance, which calls have charged, with the edits of other fields', async () => {
    const { items } = await tokens()
    for (const { name } of copied) {
      const token = items.find((entry) => entry.name === name)
      expect(token?.used_quota).toBeGreaterThan(0)
      expect(token && token.remain_quota + token.used_quota).toBe(dollar)
    }
  })

  it('calls with the programs that the console shows', async () => {
    const [, { name, key } = { name: '', key: '' }] = copied
    await rowMenu(page, name, 'How to use')
    expect(await sheet().innerText()).not.toContain(key)
    await sheet().getByRole('button', { name: 'Show key' }).click()
    await sheet().getByText(key).first().waitFor()
    /** Colours come with the text, a moment after the choice. */
    const code = async (of: string): Promise<string> => {
      await sheet().locator('pre code', { hasText: of }).waitFor()
      return sheet().locator('pre code').innerText()
    }
    for (const [dialect, path, library] of [
      ['OpenAI', '/v1/chat/completions', "'openai'"],
      ['Anthropic', '/v1/messages', '@anthropic-ai/sdk'],
      ['Gemini', ':generateContent', '@google/genai'],
    ] as const) {
      await sheet().getByText(dialect, { exact: true }).click()
      await sheet().getByRole('button', { name: 'curl' }).click()
      const { stdout } = await run('bash', ['-c', `${await code(path)} --silent --fail-with-body`])
      expect(stdout, dialect).toContain(answerText)
      await sheet().getByRole('button', { name: 'JavaScript' }).click()
      expect(await runProgram(await code(library)), dialect).toContain(answerText)
    }
    await sheet().getByText('Apps', { exact: true }).click()
    for (const [app, word] of [
      ['Claude Code', 'ANTHROPIC_BASE_URL'],
      ['Codex CLI', 'model_provider'],
      ['Gemini CLI', 'GOOGLE_GEMINI_BASE_URL'],
      ['Open WebUI', 'open-webui'],
    ] as const) {
      await sheet().getByRole('button', { name: app }).click()
      const shown = await code(word)
      expect(shown).toContain(key)
      expect(shown).toContain(site.url)
    }
    await page.keyboard.press('Escape')
  })

  it('replaces a key: the old one stops at once', async () => {
    const [, { name, key } = { name: '', key: '' }] = copied
    await rowMenu(page, name, 'Rotate key')
    await sheet().getByRole('button', { name: 'Rotate key' }).click()
    await sheet().getByText('Key rotated').waitFor()
    const fresh = await sheet().locator('li .mono').first().innerText()
    expect(fresh).toMatch(/^sk-\w{48}$/)
    await expect(chat(site.url, key)).rejects.toMatchObject({ status: 401 })
    await chat(site.url, fresh)
    await sheet().getByRole('button', { name: 'Done' }).click()
  })

  it('switches one off and on, and deletes several', async () => {
    const [, , { name, key } = { name: '', key: '' }] = copied
    await rowMenu(page, name, 'Disable')
    await (await openRow(page, name)).getByText('Disabled').waitFor()
    await expect(chat(site.url, key)).rejects.toMatchObject({ status: 401 })
    await rowMenu(page, name, 'Enable')
    await (await openRow(page, name)).getByText('Enabled').waitFor()
    await chat(site.url, key)
    await go('/token')
    await page.getByRole('checkbox', { name: 'Select all on this page' }).click()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await sheet().getByRole('button', { name: 'Delete API key' }).click()
    await page.getByText(/^\d+ API keys deleted$/).waitFor()
    expect((await tokens()).total).toBeLessThan(30)
    await expect(chat(site.url, key)).rejects.toMatchObject({ status: 401 })
    expect(complaints).toEqual([])
  })

  it('has a key from the start where the operator wants that', async () => {
    const response = await fetch(`${site.url}/api/user/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'newcomer', password }),
    })
    expect(await response.json()).toMatchObject({ success: true })
    const newcomer = await signIn(site.url, 'newcomer', password)
    const list = await newcomer.must<Token[]>('GET', '/api/token/')
    expect(list).toMatchObject([{ name: 'newcomer的初始令牌', unlimited_quota: true, expired_time: -1 }])
  })
})

const names = ['production', 'ci-runner', 'laptop', 'support desk', 'old contractor', 'trial'] as const

describe.skipIf(!browserIsHere)('the keys and their sheets', () => {
  let browser: Browser
  let site: Site

  beforeAll(async () => {
    ;[browser, site] = await Promise.all([openBrowser(), startSite()])
    const root = await signIn(site.url)
    await addChannel(root, 'http://127.0.0.1:9')
    const alice = await addCustomer(site.url, root, 'alice', 20 * dollar)
    const soon = Math.floor(Date.now() / 1000) + 2 * 86_400
    const more = [
      { unlimited_quota: true },
      { model_limits_enabled: true, model_limits: 'gpt-4o,gpt-4o-mini', allow_ips: '10.0.0.0/8' },
      { expired_time: soon },
      { remain_quota: 0 },
      { remain_quota: dollar * 500, expired_time: soon },
      {},
    ]
    for (const [index, name] of names.entries()) {
      await alice.must('POST', '/api/token/', { name, remain_quota: dollar, ...more[index] })
    }
    const [last] = await alice.must<Token[]>('GET', '/api/token/')
    await alice.must('PUT', '/api/token/?status_only=true', { id: last?.id, status: 2 })
  })
  afterAll(async () => {
    await browser?.close()
    await site?.remove()
  })

  it.each(twoLooks)('are whole, readable and quiet: $name', async (look) => {
    const { page, complaints } = await openSignedInTab(browser, site.url, look, { username: 'alice', password })
    const faults: string[] = []
    const say = (zh: string, en: string): string => (look.language === 'zh' ? zh : en)
    const inspect = async (stop: string): Promise<void> => {
      await settle(page)
      await picture(page, `tokens-${stop}.${look.name}`)
      const overflow = await sidewaysOverflow(page)
      if (overflow > 0) faults.push(`${stop}: scrolls sideways by ${overflow} px`)
      faults.push(...(await findings(page, judgedIn(look))).map((finding) => `${stop}: ${finding}`))
      const chinese =
        look.language === 'en' &&
        /[\u4e00-\u9fff]/.test(await page.locator('#content, [role=dialog]').last().innerText())
      if (chinese) faults.push(`${stop}: Chinese in English`)
    }
    const uncut = async (text: string): Promise<boolean> =>
      page
        .getByText(text)
        .first()
        .evaluate((element) => {
          const { right, width } = element.getBoundingClientRect()
          const frame = element.closest('td, dd, li, [data-row]')?.getBoundingClientRect()
          return width > 0 && right <= document.documentElement.clientWidth && right <= (frame?.right ?? right) + 1
        })
    await page.goto(`${site.url}/token`)
    await openRow(page, 'laptop')
    await inspect('list')
    if (!(await uncut(say('即将过期', 'expires soon')))) faults.push('"expires soon" is cut')
    await page.goto(`${site.url}/token?add=1`)
    await page.locator('[role=dialog] form').waitFor()
    await inspect('add')
    await page.goto(`${site.url}/token`)
    await rowMenu(page, 'ci-runner', say('使用方法', 'How to use'))
    await page.getByRole('dialog').getByText('curl').first().waitFor()
    await inspect('use')
    await page.getByRole('dialog').getByText(say('客户端', 'Apps'), { exact: true }).click()
    await inspect('apps')
    await page.goto(`${site.url}/token`)
    await rowMenu(page, 'laptop', say('更换密钥', 'Rotate key'))
    await page.getByRole('dialog').waitFor()
    await inspect('rotate')
    await page.context().close()
    expect(faults).toEqual([])
    expect(complaints).toEqual([])
  })
})
