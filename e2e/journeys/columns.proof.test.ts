import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { browserIsHere, findings, openBrowser, phone, picture, sidewaysOverflow, wide } from '../support/browser.ts'
import { addCustomer, signIn } from '../support/operator.ts'
import { type Site, startSite } from '../support/site.ts'
import { openPage, openRow, openSignedInTab, settle } from './console.ts'

/** An operator lays a table out for herself, and finds it so in another browser. */

const look = { theme: 'light', language: 'en', size: wide } as const

describe.skipIf(!browserIsHere)('an operator who arranges columns', () => {
  let browser: Browser
  let site: Site
  let page: Page
  let complaints: string[]

  beforeAll(async () => {
    ;[browser, site] = await Promise.all([openBrowser(), startSite()])
    const root = await signIn(site.url)
    for (const name of ['alice', 'bob', 'carol']) await addCustomer(site.url, root, name, 500_000)
    const visitor = await openSignedInTab(browser, site.url, look)
    page = visitor.page
    complaints = visitor.complaints
    await openPage(page, `${site.url}/user`)
    await openRow(page, 'alice')
  })
  afterAll(async () => {
    await browser?.close()
    await site?.remove()
  })

  const headers = async (on = page): Promise<(string | null)[]> =>
    Promise.all((await on.getByRole('columnheader').all()).map((header) => header.getAttribute('aria-label')))
  const widthOf = async (name: string, on = page): Promise<number> =>
    Math.round((await on.getByRole('columnheader', { name }).boundingBox())?.width ?? 0)
  const manager = () => page.getByRole('dialog')
  const openManager = async (): Promise<void> => {
    await page.getByRole('button', { name: 'Columns', exact: true }).click()
    await manager().waitFor()
    await settle(page)
  }
  const middle = async (name: string) => {
    const box = await manager()
      .getByRole('button', { name: `Move ${name}` })
      .boundingBox()
    return { x: (box?.x ?? 0) + 12, y: (box?.y ?? 0) + 12 }
  }

  it('sees what she does at once, and Cancel brings back what was there', async () => {
    const before = await headers()
    await openManager()
    await manager().getByRole('checkbox', { name: 'Group' }).click()
    await expect.poll(() => headers()).not.toEqual(before)
    await manager().getByRole('button', { name: 'Cancel' }).click()
    await manager().waitFor({ state: 'detached' })
    expect(await headers()).toEqual(before)
  })

  it('drags a column to another place, pins one and makes rows lower', async () => {
    await openManager()
    const names = (await headers()).filter((name): name is string => name !== null)
    const [moved = '', second = ''] = [names.at(-1), names[1]]
    const [from, to] = [await middle(moved), await middle(second)]
    await page.mouse.move(from.x, from.y)
    await page.mouse.down()
    await page.mouse.move(to.x, to.y - 6, { steps: 12 })
    await page.mouse.up()
    await expect.poll(async () => (await headers()).filter(Boolean)[1]).toBe(moved)
    await manager().getByRole('button', { name: 'Pin Role to the left' }).click()
    await manager().getByText('Compact').click()
    await expect.poll(async () => (await headers()).filter(Boolean)[1]).toBe('Role')
    expect(await findings(page)).toEqual([])
    await picture(page, 'columns-manager-wide-light-en')
    await manager().getByRole('button', { name: 'Done' }).click()
    await manager().waitFor({ state: 'detached' })
  })

  it('drags the edge of a header, and moves it with the arrow keys', async () => {
    const before = await widthOf('Role')
    const edge = page.getByRole('separator', { name: 'Width of Role' })
    const box = await edge.boundingBox()
    const [x, y] = [(box?.x ?? 0) + 4, (box?.y ?? 0) + 8]
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move(x + 60, y, { steps: 6 })
    await page.mouse.up()
    // The page handles a key press a moment later.
    await expect.poll(() => widthOf('Role')).toBe(before + 60)
    await edge.focus()
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => widthOf('Role')).toBe(before + 68)
    await edge.dblclick()
    await expect.poll(() => widthOf('Role')).toBe(before)
    await edge.focus()
    for (let times = 0; times < 2; times += 1) await page.keyboard.press('Shift+ArrowRight')
    await expect.poll(() => widthOf('Role')).toBe(before + 80)
  })

  it('keeps what is pinned in sight while the rest is scrolled', async () => {
    await page.setViewportSize({ width: 1024, height: 800 })
    await settle(page)
    const leftOf = async (name: string) =>
      Math.round((await page.getByRole('columnheader', { name }).boundingBox())?.x ?? 0)
    const places = async () => [await leftOf('Role'), await leftOf('Group')] as const
    const [role, group] = await places()
    await page.locator('table').evaluate((table) => table.parentElement?.scrollBy({ left: 150 }))
    const [roleAfter, groupAfter] = await places()
    expect(group - groupAfter).toBeGreaterThan(50)
    expect(Math.abs(role - roleAfter)).toBeLessThan(5)
    await picture(page, 'columns-pinned-light-en')
    await page.setViewportSize(wide)
  })

  it('finds all of it in another browser, in the dark, too', async () => {
    const [order, width] = [await headers(), await widthOf('Role')]
    const other = await openSignedInTab(browser, site.url, { ...look, theme: 'dark' })
    await openPage(other.page, `${site.url}/user`)
    await openRow(other.page, 'alice')
    await expect.poll(() => headers(other.page)).toEqual(order)
    expect(await widthOf('Role', other.page)).toBe(width)
    expect(await other.page.locator('[data-density=compact]').count()).toBe(1)
    await other.page.getByRole('button', { name: 'Columns', exact: true }).click()
    await settle(other.page)
    expect(await findings(other.page)).toEqual([])
    await picture(other.page, 'columns-manager-wide-dark-en')
    expect(other.complaints).toEqual([])
    await other.page.context().close()
  })

  it('sees the default cards on a phone', async () => {
    const other = await openSignedInTab(browser, site.url, { ...look, size: phone })
    await openPage(other.page, `${site.url}/user`)
    await openRow(other.page, 'alice')
    expect(await other.page.getByRole('button', { name: 'Columns', exact: true }).count()).toBe(0)
    expect(await sidewaysOverflow(other.page)).toBe(0)
    await picture(other.page, 'columns-phone-light-en')
    await other.page.context().close()
  })

  it('chooses a time zone, which the log then says and follows', async () => {
    await openPage(page, `${site.url}/personal#time-zone`)
    const zone = page.getByRole('combobox', { name: 'Display time zone' })
    await zone.fill('chatham')
    await page.getByRole('option', { name: 'Pacific/Chatham' }).click()
    await page.getByText('Now in Pacific/Chatham:').waitFor()
    await zone.scrollIntoViewIfNeeded()
    expect(await findings(page)).toEqual([])
    await picture(page, 'time-zone-wide-light-en')
    await openPage(page, `${site.url}/log`)
    const clock = new Intl.DateTimeFormat('en-GB', { timeZone: 'Pacific/Chatham', timeStyle: 'medium' })
    const reloaded = page.waitForRequest((request) => {
      const { pathname, searchParams } = new URL(request.url())
      const start = Number(searchParams.get('start_timestamp'))
      return pathname === '/api/log/' && clock.format(start * 1000) === '00:00:00'
    })
    await page.getByRole('button', { name: /Time range/ }).click()
    await settle(page)
    await picture(page, 'time-zone-range-light-en')
    await page.getByRole('button', { name: 'Today', exact: true }).click()
    await reloaded
    const other = await openSignedInTab(browser, site.url, { ...look, theme: 'dark', size: phone })
    await openPage(other.page, `${site.url}/personal#time-zone`)
    await other.page.getByText('Now in Pacific/Chatham:').scrollIntoViewIfNeeded()
    expect(await findings(other.page)).toEqual([])
    expect(await sidewaysOverflow(other.page)).toBe(0)
    await picture(other.page, 'time-zone-phone-dark-en')
    await other.page.context().close()
  })

  it('shows a view of the log, saves one of hers, and finds it on a phone', async () => {
    await openPage(page, `${site.url}/log`)
    await page.getByRole('button', { name: 'Views', exact: true }).click()
    await settle(page)
    expect(await findings(page)).toEqual([])
    await picture(page, 'views-menu-wide-light-en')
    await page.getByRole('menuitem', { name: 'Errors' }).click()
    await page.waitForURL('**/log?range=24h&type=5')
    await page.getByRole('button', { name: 'View: Errors' }).click()
    await page.getByRole('menuitem', { name: 'Save and manage views…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Failures of today')
    await dialog.getByRole('checkbox', { name: /Share with everybody/ }).click()
    await dialog.getByRole('button', { name: 'Save current view' }).click()
    await dialog.getByRole('button', { name: 'Take back and delete “Failures of today”' }).waitFor()
    await settle(page)
    expect(await findings(page)).toEqual([])
    await picture(page, 'views-dialog-wide-light-en')
    const other = await openSignedInTab(
      browser,
      site.url,
      { ...look, theme: 'dark', size: phone },
      { username: 'alice', password: 'battery-staple' },
    )
    await openPage(other.page, `${site.url}/log`)
    await other.page.getByRole('button', { name: 'Views', exact: true }).click()
    await settle(other.page)
    expect(await findings(other.page)).toEqual([])
    await picture(other.page, 'views-menu-phone-dark-en')
    await other.page.getByRole('menuitem', { name: 'Failures of today' }).click()
    await other.page.waitForURL('**/log?range=24h&type=5')
    await settle(other.page)
    await other.page.getByRole('button', { name: /^View: / }).click()
    await other.page.getByRole('menuitem', { name: 'Save and manage views…' }).click()
    await settle(other.page)
    expect(await findings(other.page)).toEqual([])
    expect(await sidewaysOverflow(other.page)).toBe(0)
    await picture(other.page, 'views-dialog-phone-dark-en')
    expect(other.complaints).toEqual([])
    await other.page.context().close()
  })

  it('meets no error', () => expect(complaints).toEqual([]))
})
