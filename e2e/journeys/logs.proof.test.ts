import { join } from 'node:path'
import type { Drawing, LogEntry, Page } from '@tollgate/contract'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase } from '../../server/src/db/engines/open.ts'
import {
  type BrowserTab,
  browserIsHere,
  downloadedText,
  findings,
  judgedIn,
  type Look,
  openBrowser,
  phone,
  picture,
  sidewaysOverflow,
  wide,
} from '../support/browser.ts'
import { type BusySite, customerPassword, openBusySite } from '../support/busy-site.ts'
import { openRow, openSignedInTab, settle, twoLooks } from './console.ts'

const look: Look = { theme: 'light', language: 'en', size: wide }
const now = Math.floor(Date.now() / 1000)

const drawing = (more: Partial<Drawing>): Omit<Drawing, 'id'> => ({
  code: 1,
  user_id: 2,
  action: 'IMAGINE',
  mj_id: '1763001',
  prompt: 'a toll booth at dawn',
  prompt_en: '',
  description: '',
  state: '',
  submit_time: (now - 600) * 1000,
  start_time: (now - 590) * 1000,
  finish_time: (now - 500) * 1000,
  image_url: '',
  status: 'SUCCESS',
  progress: '100%',
  fail_reason: '',
  channel_id: 1,
  quota: 50_000,
  buttons: '[]',
  properties: '',
  ...more,
})

const task = {
  created_at: now,
  updated_at: now,
  task_id: 'c0ffee-1',
  platform: 'suno',
  user_id: 2,
  channel_id: 1,
  quota: 50_000,
  action: 'MUSIC',
  status: 'IN_PROGRESS',
  fail_reason: '',
  submit_time: now - 5,
  start_time: now - 4,
  finish_time: 0,
  progress: '60%',
  properties: '{"input":"a song about gates"}',
  data: '[]',
}

/** Drawings and tasks in states that no poll changes, and rows of last spring. */
const plant = async (directory: string): Promise<void> => {
  const database = await openDatabase({ engine: 'sqlite', url: join(directory, 'tollgate.db'), pool: 1 })
  await database.query
    .insertInto('midjourneys')
    .values([
      drawing({ mj_id: 'finished' }),
      drawing({ mj_id: 'refused', status: 'FAILURE', fail_reason: 'Banned prompt' }),
      drawing({ mj_id: 'of-root', user_id: 1, status: 'IN_PROGRESS', progress: '45%', finish_time: 0 }),
    ])
    .execute()
  await database.query.insertInto('tasks').values(task).execute()
  const { id: _, ...log } = await database.query.selectFrom('logs').selectAll().limit(1).executeTakeFirstOrThrow()
  const old = Array.from({ length: 1_200 }, (__, index) => ({
    ...log,
    created_at: now - 200 * 86_400 + index,
    request_id: `spring-${index}`,
  }))
  await database.insertMany('logs', old)
  await database.close()
}

describe.skipIf(!browserIsHere)('logs and figures', () => {
  let browser: Browser
  let busy: BusySite
  let admin: BrowserTab

  beforeAll(async () => {
    ;[browser, busy] = await Promise.all([openBrowser(), openBusySite()])
    await plant(busy.site.directory)
    admin = await openSignedInTab(browser, busy.site.url, look)
  })
  afterAll(async () => {
    await browser?.close()
    await busy?.close()
  })

  const go = async (path: string): Promise<void> => {
    await admin.page.goto(busy.site.url + path)
    await admin.page.locator('#content h1').first().waitFor()
    await settle(admin.page)
  }
  const logsOf = (query: string) => busy.root.must<Page<LogEntry>>('GET', `/api/log/?${query}`)

  it('finds the dearest request and reads its receipt', async () => {
    const { page } = admin
    // Of one customer: a channel's test has a price that is not charged, and no receipt.
    const [dearest] = (await logsOf('sort=-quota&type=2&page_size=1&username=alice')).items
    await go('/log?username=alice')
    await Promise.all([
      page.waitForResponse((response) => response.url().includes('sort=-quota')),
      page.getByRole('button', { name: 'Cost', exact: true }).click(),
    ])
    await page.locator('th[aria-sort=descending]', { hasText: 'Cost' }).waitFor()
    await settle(page)
    const first = page.locator('[data-row="0"]')
    await first.locator('button').first().click()
    const sheet = page.getByRole('dialog')
    const receipt = sheet.getByRole('table', { name: 'Receipt' })
    await receipt.waitFor()
    expect(page.url()).toContain(`request=${dearest?.request_id}`)
    expect(await receipt.innerText()).toContain(`$${((dearest?.quota ?? 0) / 500_000).toFixed(6)}`)
  })

  it('chooses a model among those that were called, with how often', async () => {
    const { page } = admin
    await go('/log?type=2')
    await page.getByRole('button', { name: 'Filter by Model', exact: true }).click()
    const counted = page.waitForResponse((response) => response.url().includes('facet=model_name'))
    const box = page.getByRole('combobox', { name: 'Model', exact: true })
    await box.click()
    const { data } = (await (await counted).json()) as { data: { values: { value: string; count: number }[] } }
    const [most] = data.values
    const first = page.getByRole('listbox').getByRole('option').first()
    await expect.poll(() => first.innerText()).toMatch(new RegExp(`^${most?.value}\\s+${most?.count}$`))
    await settle(page)
    expect(await findings(page)).toEqual([])
    await picture(page, 'log-model-filter-light-en')
    await first.click()
    await page.getByRole('button', { name: `Model: "${most?.value}"`, exact: true }).waitFor()
    const shown = await logsOf(`type=2&model_name=${encodeURIComponent(`"${most?.value}"`)}`)
    expect(shown.total).toBeGreaterThan(0)
    expect(shown.items.every(({ model_name }) => model_name === most?.value)).toBe(true)
    await page.getByRole('button', { name: `Model: "${most?.value}"`, exact: true }).click()
    const others = page.waitForResponse((response) => /\/api\/log\/\?.*not=model_name/.test(response.url()))
    await page.getByLabel('Condition of Model').selectOption('not')
    const { items } = ((await (await others).json()) as { data: Page<LogEntry> }).data
    expect(items.length).toBeGreaterThan(0)
    expect(items.some(({ model_name }) => model_name === most?.value)).toBe(false)
  })

  it('narrows the range to what is drawn over the chart, which moves nothing when it comes', async () => {
    const { page } = admin
    let answer = (): void => undefined
    const held = new Promise<void>((resolve) => (answer = resolve))
    await page.route('**/api/log/volume*', async (route) => {
      await held
      await route.continue()
    })
    await page.goto(`${busy.site.url}/log?range=24h`)
    await openRow(page, 'alice')
    const listTop = async () => (await page.locator('[data-row="0"]').boundingBox())?.y
    const before = await listTop()
    answer()
    const chart = page.getByRole('region', { name: 'Requests over time' }).getByRole('slider')
    await chart.waitFor()
    expect(await listTop()).toBe(before)
    await page.unroute('**/api/log/volume*')
    const { x, y, width, height } = (await chart.boundingBox()) ?? new DOMRect()
    await page.mouse.move(x + width * 0.2, y + height / 2)
    await page.mouse.down()
    await page.mouse.move(x + width + 40, y + height / 2)
    await page.mouse.up()
    await page.waitForURL(/range=\d+\.\.\d+/)
    const [from = 0, to = 0] = (/range=(\d+)\.\.(\d+)/.exec(page.url()) ?? []).slice(1).map(Number)
    // A site in its first hours has a bar for each minute.
    expect(to - from).toBeGreaterThanOrEqual(59)
    expect(to).toBeGreaterThanOrEqual(now)
    await settle(page)
    await openRow(page, 'alice')
  })

  it('saves what the filters show, row for row', async () => {
    const { page } = admin
    const expected = await logsOf('type=5&page_size=100')
    await go('/log?type=5')
    await page.getByRole('button', { name: 'Export' }).click()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'All results as CSV' }).click(),
    ])
    expect(file.suggestedFilename()).toBe('logs.csv')
    const text = await downloadedText(file)
    expect(text).toMatch(/^\uFEFFid,time,type,username,token_name,model_name,/)
    const lines = text.trim().split('\r\n')
    const recent = expected.items.filter(({ created_at }) => created_at > now - 3 * 86_400)
    expect(lines.at(-1)).toMatch(/^total,/)
    expect(lines.slice(1, -1).map((line) => Number(line.split(',')[0]))).toEqual(recent.map(({ id }) => id))
  })

  it('turns pages of a long list without losing or repeating a row', async () => {
    const { page } = admin
    await go('/log?range=all&size=20')
    const seen: string[] = []
    for (let turn = 0; turn < 4; turn += 1) {
      const answer = page.waitForResponse((response) => response.url().includes('/api/log/?'))
      await page.getByRole('button', { name: 'Next' }).click()
      const { data } = (await (await answer).json()) as { data: Page<LogEntry> }
      seen.push(...data.items.map(({ request_id }) => request_id))
      await settle(page)
    }
    expect(new Set(seen).size).toBe(80)
  })

  it('clears what is old after saying how much that is, and nothing else', async () => {
    const { page } = admin
    const before = await busy.root.must<{ quota: number }>('GET', '/api/log/stat')
    const recent = (await logsOf(`start_timestamp=${now - 86_400}&page_size=1`)).total
    await go('/log')
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Clear logs' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('1,200 rows will be deleted.').waitFor()
    await picture(page, 'logs-clear')
    await dialog.getByRole('button', { name: 'Delete 1,200 rows' }).click()
    await page.getByText('1,200 rows are being deleted in the background').waitFor()
    await expect.poll(async () => (await logsOf('page_size=1')).total).toBe(recent)
    expect(await busy.root.must('GET', '/api/log/stat')).toMatchObject({ quota: before.quota })
    await go('/audit?action=log.clear')
    await openRow(page, 'Clear')
  })

  it('draws what was used, and leads from a model to exactly its requests', async () => {
    const { page } = admin
    await go('/detail')
    await page.getByRole('slider').waitFor()
    await picture(page, 'dashboard')
    await page.getByRole('button', { name: 'Show as table' }).click()
    await page.getByRole('table', { name: 'Spend over time' }).waitFor()
    const link = page.getByRole('link', { name: 'View logs for gpt-4o', exact: true })
    const requests = await page.locator('tr', { has: link }).locator('td').nth(3).innerText()
    const failures = await page.locator('tr', { has: link }).locator('td').nth(5).innerText()
    await link.click()
    await page.waitForURL(/\/log\?/)
    await settle(page)
    const shown = await logsOf(
      `model_name=${encodeURIComponent('"gpt-4o"')}&start_timestamp=${now - 90_000}&page_size=100`,
    )
    const charged = shown.items.filter((log) => log.token_name !== '模型测试')
    expect(charged.filter(({ type }) => type === 2)).toHaveLength(Number(requests))
    expect(charged.filter(({ type }) => type === 5)).toHaveLength(Number(failures || 0))
    await page.getByRole('button', { name: /^Model: "gpt-4o"/ }).waitFor()
    expect(await page.locator('[data-row]').first().innerText()).toContain('gpt-4o')
  })

  it.each([wide, phone])('names hours where their bars stand, none cut off, at %o', async (size) => {
    const { page } = await openSignedInTab(browser, busy.site.url, { ...look, size })
    await page.goto(`${busy.site.url}/detail`)
    await page.getByRole('slider').waitFor()
    const names = await page.evaluate(() => {
      const axis = document.querySelector('figure > [aria-hidden=true]:last-child')
      const spans = [...(axis?.querySelectorAll('span') ?? [])]
      const room = axis?.getBoundingClientRect() ?? new DOMRect()
      const shares = spans.map((span) => Number(span.style.flexGrow))
      const all = shares.reduce((sum, share) => sum + share, 0)
      return spans.flatMap((span, index) => {
        if (getComputedStyle(span).visibility === 'hidden') return []
        const text = document.createRange()
        text.selectNodeContents(span)
        const { left, right } = text.getBoundingClientRect()
        const share = shares.slice(0, index).reduce((sum, one) => sum + one, 0) / all
        return { left: left - room.left, right: right - room.left, due: share * room.width, end: room.width }
      })
    })
    expect(names.length).toBeGreaterThan(1)
    for (const [index, { left, right, due, end }] of names.entries()) {
      expect(Math.abs(left - due)).toBeLessThan(1)
      expect(right).toBeLessThanOrEqual(names[index + 1]?.left ?? end)
    }
    await page.context().close()
  })

  it('lists drawings and tasks in every state, to users only their own', async () => {
    const { page } = admin
    await go('/midjourney')
    await openRow(page, 'of-root')
    await page.getByText('Midjourney callbacks are off').waitFor()
    await (await openRow(page, 'refused')).locator('button').first().click()
    await page.getByRole('dialog').getByText('Banned prompt').waitFor()
    await go('/task')
    await (await openRow(page, 'c0ffee-1')).locator('button').first().click()
    await page
      .getByRole('dialog')
      .getByText(/a song about gates/)
      .waitFor()
    const alice = await openSignedInTab(browser, busy.site.url, look, { username: 'alice', password: customerPassword })
    await alice.page.goto(`${busy.site.url}/midjourney`)
    await openRow(alice.page, 'finished')
    await expect.poll(() => alice.page.locator('[data-row]').count()).toBe(2)
    await expect.poll(() => alice.page.getByRole('columnheader', { name: 'Channel' }).count()).toBe(0)
    await alice.page.goto(`${busy.site.url}/detail`)
    await alice.page.getByRole('slider').waitFor()
    await expect.poll(() => alice.page.getByText('Whole site').count()).toBe(0)
    expect(alice.complaints).toEqual([])
    await alice.page.context().close()
  })

  it.each(twoLooks)('looks right and can be read by everybody: $name', async ({ name, ...other }) => {
    const { page, complaints } = await openSignedInTab(browser, busy.site.url, other)
    const faults: string[] = []
    for (const [screen, path] of [
      ['dashboard', '/detail?range=30d&granularity=day'],
      ['drawings', '/midjourney'],
      ['tasks', '/task'],
      ['nothing', '/detail?range=1..2'],
    ] as const) {
      await page.goto(busy.site.url + path)
      await page.locator('#content h1').first().waitFor()
      await settle(page)
      await picture(page, `${screen}.${name}`)
      const overflow = await sidewaysOverflow(page)
      faults.push(
        ...(overflow > 0 ? [`${screen} scrolls sideways by ${overflow} px`] : []),
        ...(await findings(page, judgedIn(other))),
      )
    }
    expect(faults).toEqual([])
    expect(complaints).toEqual([])
    await page.context().close()
  })

  it('ends without a complaint of the browser', () => {
    expect(admin.complaints).toEqual([])
  })
})
