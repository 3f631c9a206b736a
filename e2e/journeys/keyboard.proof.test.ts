import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { browserIsHere, openBrowser, openTab, wide } from '../support/browser.ts'
import { addChannel, type Person, signIn } from '../support/operator.ts'
import { rootPassword, type Site, startSite } from '../support/site.ts'
import { field, notified, openFormTab, openRow, settle } from './console.ts'

/** The console without a mouse. */
describe.skipIf(!browserIsHere)('the keyboard', () => {
  let browser: Browser
  let site: Site
  let operator: Person
  let page: Page
  let complaints: string[]

  beforeAll(async () => {
    ;[browser, site] = await Promise.all([openBrowser(), startSite({ GLOBAL_WEB_RATE_LIMIT_ENABLE: 'false' })])
    operator = await signIn(site.url)
    for (const name of ['first', 'second', 'third']) await addChannel(operator, 'http://127.0.0.1:9', { name })
    const visitor = await openTab(browser, { theme: 'dark', language: 'en', size: wide })
    page = visitor.page
    complaints = visitor.complaints
    await page.goto(`${site.url}/login`)
    await page.locator('form').waitFor()
    await page.locator('#username').focus()
    await page.keyboard.type('root')
    await page.keyboard.press('Tab')
    await page.keyboard.type(rootPassword)
    await page.keyboard.press('Enter')
    await page.waitForURL((url) => url.pathname !== '/login')
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
    const guest = await openTab(browser, { theme: 'light', language: 'en', size: wide })
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

  it('moves through a table with j and k, opens the page of a row with Enter, and comes back', async () => {
    await press('j', 'j', 'k')
    await expect.poll(focused).toContain('data-row="0"')
    await press('j')
    const row = page.locator('[data-row="1"]')
    const name = (await row.locator('button').first().innerText()).split('\n')[0] ?? ''
    await press('Enter')
    await page.getByRole('heading', { name, level: 1 }).waitFor()
    expect(new URL(page.url()).pathname).toMatch(/^\/channel\/\d+$/)
    await expect.poll(() => page.title()).toMatch(new RegExp(`^${name} – Channel – `))
    await page.goBack()
    await expect.poll(() => page.title()).toMatch(/^Channels – /)
    expect(new URL(page.url()).pathname).toBe('/channel')
  })

  it('gets the focus back from sheets that stand only while they are open', async () => {
    await page.goto(`${site.url}/audit`)
    await openRow(page, 'root')
    await settle(page)
    await press('j', 'j')
    await expect.poll(focused).toContain('data-row="1"')
    for (const key of ['Enter', '?']) {
      await press(key)
      await sheet().waitFor()
      await expect.poll(() => sheet().evaluate((each) => each.contains(document.activeElement))).toBe(true)
      await press('Escape')
      await gone()
      await expect.poll(focused).toContain('data-row="1"')
    }
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
    const box = page.getByPlaceholder('Name, ID or key')
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

  it('finds in the palette what bears an id, and lists to look in', async () => {
    await press('Control+k')
    await page.getByRole('dialog', { name: 'Command palette' }).waitFor()
    await page.keyboard.type('2')
    await page.getByRole('option', { name: 'Channel second #2', exact: true }).waitFor()
    await press('Enter')
    await page.waitForURL(/\/channel\/2$/)
    await page.getByRole('heading', { name: 'second', level: 1 }).waitFor()
    await press('Control+k')
    await page.getByRole('combobox', { name: 'Search or jump to' }).and(page.locator(':focus')).waitFor()
    await page.keyboard.type('third')
    await page.getByRole('option', { name: 'Search Channels for “third”' }).click()
    await page.waitForURL(/\/channel\?keyword=third$/)
  })

  it('tests a channel from the palette and says what became of it', async () => {
    await press('Control+k')
    await page.getByRole('combobox', { name: 'Search or jump to' }).and(page.locator(':focus')).waitFor()
    await page.keyboard.type('test')
    await page.getByRole('option', { name: 'Test channel…' }).waitFor()
    await press('Enter')
    await page.keyboard.type('thi')
    await page.getByRole('option', { name: 'Test channel third #3', selected: true }).waitFor()
    await press('Enter')
    await notified(page, /^Channel third failed: .+/)
    await page.locator('.mantine-Notification-root').getByRole('button', { name: 'Close' }).first().click()
  })

  it('asks before a form with changes is closed, and saves with Ctrl+Enter', async () => {
    await page.goto(`${site.url}/channel/edit/1?sort=name`)
    await sheet().locator('form').waitFor()
    await settle(page)
    await openFormTab(sheet(), 'Routing')
    await field(sheet(), 'Channel tag').fill('backup')
    await press('Escape')
    const question = page.getByRole('alertdialog', { name: /unsaved changes/ })
    await question.getByRole('button', { name: 'Keep editing' }).click()
    expect(await field(sheet(), 'Channel tag').inputValue()).toBe('backup')
    await field(sheet(), 'Channel tag').focus()
    await press('Control+Enter')
    await gone()
    await page.locator('[data-row="0"]', { hasText: 'backup' }).waitFor()
    await page.goto(`${site.url}/channel/edit/1?sort=name`)
    await sheet().locator('form').waitFor()
    await openFormTab(sheet(), 'Routing')
    await field(sheet(), 'Channel tag').fill('another')
    await press('Escape')
    await page.getByRole('button', { name: 'Discard' }).click()
    await gone()
    await expect.poll(() => page.locator('[data-row]', { hasText: 'another' }).count()).toBe(0)
  })

  it('edits a figure in the table; Esc gives up, Enter saves, and undo puts back what was there', async () => {
    const weight = async (): Promise<number | undefined> =>
      (await operator.must<{ name: string; weight: number }[]>('GET', '/api/channel/search?keyword=second'))[0]?.weight
    const cell = page.getByRole('button', { name: /^Edit Weight of second/ })
    await cell.focus()
    await press('Enter')
    await page.keyboard.type('5')
    await press('Escape')
    await page.getByRole('button', { name: 'Edit Weight of second, currently 0' }).waitFor()
    // The focus is where it was.
    await press('Enter')
    await page.keyboard.type('5')
    await press('Enter')
    const saved = page.getByRole('button', { name: 'Edit Weight of second, currently 5' })
    await saved.getByTitle('Saved').waitFor()
    expect(await weight()).toBe(5)
    await expect.poll(focused).toContain('Edit Weight of second')
    const notice = page.locator('.mantine-Notification-root', { hasText: 'Weight of channel second: 0 → 5' })
    await notice.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('button', { name: 'Edit Weight of second, currently 0' }).waitFor()
    await expect.poll(weight).toBe(0)
  })

  it('opens a menu at its first entry, moves by arrows and letters, and gives the focus back', async () => {
    const menu = page.getByRole('button', { name: 'Actions for first' })
    const entries = page.getByRole('menuitem')
    const current = () => page.evaluate(() => document.activeElement?.textContent)
    await menu.focus()
    await press('Enter')
    await entries.first().waitFor()
    await settle(page)
    const names = await entries.allInnerTexts()
    expect(names.length).toBeGreaterThan(4)
    await expect.poll(current).toBe(names[0])
    await press('ArrowDown', 'ArrowDown', 'ArrowUp')
    expect(await current()).toBe(names[1])
    await press('ArrowUp', 'ArrowUp')
    expect(await current()).toBe(names.at(-1))
    const letter = names[2]?.[0]?.toLowerCase() ?? ''
    await press(letter)
    expect(await current()).toMatch(new RegExp(`^${letter}`, 'i'))
    await press('Escape')
    await page.getByRole('menu').waitFor({ state: 'detached' })
    await expect.poll(focused).toContain('Actions for first')
  })

  it('skips the bars at the top with the first Tab of a page', async () => {
    await press('Tab')
    await expect.poll(focused).toContain('Skip to content')
    await press('Enter')
    await expect.poll(focused).toContain('id="content"')
  })
})
