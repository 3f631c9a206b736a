import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { browserIsHere, openBrowser, visit, wide } from '../browser.ts'
import { addChannel, signIn } from '../operator.ts'
import { rootPassword, type Site, startSite } from '../site.ts'
import { openRow, settle } from './console.ts'

/** The console without a mouse. */
describe.skipIf(!browserIsHere)('the keyboard', () => {
  let browser: Browser
  let site: Site
  let page: Page
  let complaints: string[]

  beforeAll(async () => {
    ;[browser, site] = await Promise.all([openBrowser(), startSite({ GLOBAL_WEB_RATE_LIMIT_ENABLE: 'false' })])
    const operator = await signIn(site.url)
    for (const name of ['first', 'second', 'third']) await addChannel(operator, 'http://127.0.0.1:9', { name })
    const visitor = await visit(browser, { theme: 'dark', language: 'en', size: wide })
    page = visitor.page
    complaints = visitor.complaints
    await page.goto(`${site.url}/login`)
    await page.locator('form').waitFor()
    await page.locator('#username').focus()
    await page.keyboard.type('root')
    await page.keyboard.press('Tab')
    await page.keyboard.type(rootPassword)
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/token/)
  })
  afterAll(async () => {
    expect(complaints).toEqual([])
    await browser?.close()
    await site?.remove()
  })
  beforeEach(async () => {
    await page.goto(`${site.url}/channel?sort=name`)
    await openRow(page, 'third')
    await settle(page)
  })

  const press = async (...keys: readonly string[]): Promise<void> => {
    for (const key of keys) await page.keyboard.press(key)
  }
  const sheet = () => page.getByRole('dialog')
  const gone = () => sheet().waitFor({ state: 'detached' })
  const focused = () => page.evaluate(() => document.activeElement?.outerHTML ?? '')

  it('reaches everything of the login page in the order it is read', async () => {
    const guest = await visit(browser, { theme: 'light', language: 'en', size: wide })
    await guest.page.goto(`${site.url}/login`)
    await guest.page.locator('form').waitFor()
    const order: string[] = []
    for (let stop = 0; stop < 7; stop += 1) {
      await guest.page.keyboard.press('Tab')
      order.push(
        await guest.page.evaluate(() => {
          const element = document.activeElement
          return element?.getAttribute('aria-label') ?? element?.id.trim() ?? ''
        }),
      )
    }
    expect(order).toEqual(expect.arrayContaining(['username', 'password', 'Show password']))
    expect(order.indexOf('username')).toBeLessThan(order.indexOf('password'))
    await guest.page.context().close()
  })

  it('moves through a table with j and k, opens with Enter, and comes back with Esc', async () => {
    await press('j', 'j', 'k')
    expect(await focused()).toContain('data-row="0"')
    await press('j')
    const row = page.locator('[data-row="1"]')
    const name = (await row.locator('button').first().innerText()).split('\n')[0] ?? ''
    await press('Enter')
    await sheet().getByText(`${name} · #`).waitFor()
    expect(new URL(page.url()).pathname).toMatch(/^\/channel\/edit\/\d+$/)
    expect(await sheet().evaluate((element) => element.contains(document.activeElement))).toBe(true)
    await press('Escape')
    await gone()
    expect(new URL(page.url()).pathname).toBe('/channel')
    expect(await focused()).toContain('data-row="1"')
  })

  it('selects with x and offers what can be done with the selection', async () => {
    await press('j', 'x', 'j', 'x')
    await page.getByRole('toolbar', { name: '2 selected' }).waitFor()
    await press('x')
    await page.getByRole('toolbar', { name: '1 selected' }).waitFor()
  })

  it('jumps to the search box with / and then types letters, not shortcuts', async () => {
    await press('/')
    await page.keyboard.type('second j x ?')
    const box = page.getByPlaceholder('Id, name or key of a channel …')
    expect(await box.inputValue()).toBe('second j x ?')
    await box.fill('second')
    await page.waitForURL(/keyword=second/)
    await page.locator('[data-row]', { hasText: 'first' }).waitFor({ state: 'detached' })
    await expect.poll(() => page.locator('[data-row]').count()).toBe(1)
  })

  it('shows its shortcuts with ?', async () => {
    await press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByText('Next / previous row').waitFor()
    await press('Escape')
    await gone()
  })

  it('goes elsewhere with g and a letter, and with the palette', async () => {
    await press('g', 'l')
    await page.waitForURL(/\/log$/)
    await press('Control+k')
    await page.getByRole('dialog', { name: 'Command palette' }).waitFor()
    await page.keyboard.type('users')
    await press('Enter')
    await page.waitForURL(/\/user$/)
    await gone()
  })

  it('asks before a form with changes is closed, and saves with Ctrl+Enter', async () => {
    await press('j', 'Enter')
    await sheet().locator('form').waitFor()
    await sheet().getByLabel('Channel Tag').fill('backup')
    await press('Escape')
    const question = page.getByRole('alertdialog', { name: /unsaved changes/ })
    await question.getByRole('button', { name: 'Keep editing' }).click()
    expect(await sheet().getByLabel('Channel Tag').inputValue()).toBe('backup')
    await sheet().getByLabel('Channel Tag').focus()
    await press('Control+Enter')
    await gone()
    await page.locator('[data-row="0"]', { hasText: 'backup' }).waitFor()
    await press('Enter')
    await sheet().locator('form').waitFor()
    await sheet().getByLabel('Channel Tag').fill('another')
    await press('Escape')
    await page.getByRole('button', { name: 'Discard' }).click()
    await gone()
    await expect.poll(() => page.locator('[data-row]', { hasText: 'another' }).count()).toBe(0)
  })

  it('edits a figure in the table; Esc gives up and Enter saves', async () => {
    const cell = page.getByRole('button', { name: /^Change Weight of second/ })
    await cell.focus()
    await press('Enter')
    await page.keyboard.type('5')
    await press('Escape')
    await page.getByRole('button', { name: 'Change Weight of second, now 0' }).waitFor()
    await page.getByRole('button', { name: /^Change Weight of second/ }).focus()
    await press('Enter')
    await page.keyboard.type('5')
    await press('Enter')
    await page.getByRole('button', { name: 'Change Weight of second, now 5' }).waitFor()
  })

  it('opens and closes menus, and gives the focus back', async () => {
    const menu = page.getByRole('button', { name: 'Actions for first' })
    await menu.focus()
    await press('Enter')
    await page.getByRole('menuitem', { name: 'Test', exact: true }).waitFor()
    await press('Escape')
    await page.getByRole('menu').waitFor({ state: 'detached' })
    await expect.poll(focused).toContain('Actions for first')
  })

  it('skips the bars at the top with the first Tab of a page', async () => {
    await press('Tab')
    expect(await focused()).toContain('Skip to content')
    await press('Enter')
    await expect.poll(focused).toContain('id="content"')
  })
})
