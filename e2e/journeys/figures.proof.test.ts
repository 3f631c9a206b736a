import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FilledSite, openFilledSite } from '../busy-site/filled-site.ts'
import { busyPassword, topSpender } from '../busy-site/plan.ts'
import { browserIsHere, openBrowser, wide } from '../support/browser.ts'
import { signIn } from '../support/operator.ts'
import { openPage, openSignedInTab, settle } from './console.ts'

interface Figure {
  readonly screen: string
  readonly href: string
  readonly calls: string | null
  readonly quota: string | null
}

const figures = 'a[data-calls], a[data-quota]'
const list = 'section[data-calls][data-quota]'

/** Links to rows on a screen, each with the figures that it states for them. */
const figuresOn = async (page: Page, screen: string): Promise<Figure[]> => {
  const found = await page.locator(figures).evaluateAll((links) =>
    links.map((link) => ({
      href: link.getAttribute('href') ?? '',
      calls: link.getAttribute('data-calls'),
      quota: link.getAttribute('data-quota'),
    })),
  )
  return found.map((figure) => ({ screen, ...figure }))
}

/** Opens the rows of a figure and says how their list differs from it; empty where it does not. */
const differences = async (page: Page, url: string, { screen, href, calls, quota }: Figure): Promise<string[]> => {
  await page.goto(url + href)
  const sums = page.locator(list).first()
  await sums.waitFor()
  const compared = [
    ['calls', calls, await sums.getAttribute('data-calls')],
    ['quota', quota, await sums.getAttribute('data-quota')],
  ] as const
  return compared.flatMap(([name, stated, listed]) =>
    stated === null || stated === listed ? [] : [`${screen}: ${stated} ${name}, but ${href} lists ${listed}`],
  )
}

/** Some thirty screens and sixty lists: minutes on a busy machine. */
const patienceMs = 1_800_000

/** Each figure that leads to rows is what these rows sum up to. */
describe.skipIf(!browserIsHere)('figures and the rows that they open', () => {
  let browser: Browser
  let filled: FilledSite

  beforeAll(async () => {
    ;[browser, filled] = await Promise.all([
      openBrowser(),
      openFilledSite({ seed: 3, days: 40, rows: 3000, channels: 8, users: 12 }),
    ])
  })
  afterAll(async () => {
    await browser?.close()
    await filled?.close()
  })

  const sidebar = (page: Page): Promise<string[]> =>
    page
      .locator('nav a[href^="/"]')
      .evaluateAll((links) => [...new Set(links.map((link) => link.getAttribute('href') ?? ''))])

  const walk = async (page: Page, screens: readonly string[]): Promise<Figure[]> => {
    const found: Figure[] = []
    for (const screen of screens) {
      await openPage(page, filled.site.url + screen)
      // Panels below the first ones are fetched when they come into sight.
      await page.mouse.wheel(0, 10_000)
      await settle(page)
      found.push(...(await figuresOn(page, screen)))
    }
    return found
  }

  const check = async (page: Page, screens: readonly string[], least: number): Promise<void> => {
    const all = await walk(page, [...(await sidebar(page)), ...screens])
    const found = [...new Map(all.map((figure) => [`${figure.href} ${figure.calls} ${figure.quota}`, figure])).values()]
    expect(found.length, JSON.stringify(found)).toBeGreaterThanOrEqual(least)
    const wrong: string[] = []
    for (const figure of found) wrong.push(...(await differences(page, filled.site.url, figure)))
    expect(wrong).toEqual([])
  }

  it('agree for the operator', { timeout: patienceMs }, async () => {
    const { url } = filled.site
    const root = await signIn(url)
    const users = await root.must<{ items: { id: number; username: string }[] }>('GET', '/api/user/?p=1&page_size=50')
    const top = users.items.find(({ username }) => username === topSpender)?.id
    const { page } = await openSignedInTab(browser, url, { theme: 'light', language: 'en', size: wide })
    const screens = ['model', 'user', 'channel', 'key', 'status'].map((by) => `/explore?by=${by}&range=30d`)
    const dashboards = ['user', 'channel', 'token', 'group'].map((by) => `/detail?by=${by}`)
    await check(page, [`/user/${top}`, `/user?show=${top}`, '/channel/1', ...screens, ...dashboards], 20)
  })

  it('agree for a user', { timeout: patienceMs }, async () => {
    const { url } = filled.site
    const person = { username: topSpender, password: busyPassword }
    const user = await signIn(url, person.username, person.password)
    const [key] = await user.must<{ id: number }[]>('GET', '/api/token/')
    const { page } = await openSignedInTab(browser, url, { theme: 'light', language: 'en', size: wide }, person)
    await check(page, [`/token/${key?.id}`, `/token?key=${key?.id}`, '/explore?by=key&range=7d'], 8)
  })

  it('explain the change of yesterday by terms that sum to it, and each term by rows that sum to the term', async () => {
    const { page, complaints } = await openSignedInTab(browser, filled.site.url, {
      theme: 'light',
      language: 'en',
      size: wide,
    })
    await openPage(page, `${filled.site.url}/today`)
    const why = page.getByRole('region', { name: 'Why it changed' })
    await why.scrollIntoViewIfNeeded()
    const terms = why.locator('ol > li')
    await terms.first().waitFor()
    const amounts = (place: Locator): Promise<number[]> =>
      place.evaluateAll((found) => found.map((each) => Number(each.getAttribute('data-amount'))))
    const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0)
    const [difference] = await amounts(why.locator('h2 + p [data-amount]'))
    const stated = await amounts(terms.locator('> p [data-amount]'))
    expect(difference).not.toBe(0)
    expect(sum(stated)).toBe(difference)
    for (const [index, amount] of stated.entries()) {
      const term = terms.nth(index)
      await term.getByRole('button', { name: 'Breakdown' }).click()
      await term.locator('ul').waitFor()
      expect([index, sum(await amounts(term.locator('ul [data-amount]')))]).toEqual([index, amount])
    }
    const link = terms.first().locator('p a')
    const address = new URL((await link.getAttribute('href')) ?? '', filled.site.url)
    await link.click()
    await page.waitForURL((url) => url.pathname === address.pathname)
    await settle(page)
    const { searchParams } = new URL(page.url())
    expect(Object.fromEntries(searchParams)).toMatchObject(Object.fromEntries(address.searchParams))
    await page.locator('#content table tbody tr').first().waitFor()
    expect(complaints).toEqual([])
    await page.context().close()
  })
})
