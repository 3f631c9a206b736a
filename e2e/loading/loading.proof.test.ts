import type { Browser, BrowserContext } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { browserIsHere, openBrowser } from '../support/browser.ts'
import { type BusySite, openBusySite } from '../support/busy-site.ts'
import { lines, measureLoading, signedInContext } from './measure.ts'

/** Allowed layout shift. */
const toleratedShift = 0.02

/** How screens load, as counts: what takes how long depends on the machine, and is in docs/benchmarks.md. */
describe.skipIf(!browserIsHere)('a screen that is loaded for the first time', () => {
  let browser: Browser
  let busy: BusySite
  let context: BrowserContext

  beforeAll(async () => {
    ;[browser, busy] = await Promise.all([openBrowser(), openBusySite()])
    context = await signedInContext(browser, busy.site.url)
  })
  afterAll(async () => {
    await browser?.close()
    await busy?.close()
  })

  // On a slow line nothing is fetched in vain before the paint, and skeletons are seen.
  const slow = lines.find(({ name }) => name === 'slow') ?? { name: 'LAN' }

  it.each(['/log', '/channel', '/token', '/detail', '/pricing'])(
    '%s asks for its data before any script or style has come',
    async (path) => {
      const page = await context.newPage()
      const asked: string[] = []
      page.on('request', (request) => asked.push(new URL(request.url()).pathname))
      await page.route('**/assets/**', (route) => route.abort())
      const session = page.waitForRequest('**/api/session')
      await page.goto(busy.site.url + path)
      await session
      expect(asked.filter((name) => name.startsWith('/api/')).length).toBeGreaterThan(1)
      expect(asked.filter((name) => name.endsWith('.woff2'))).toEqual([])
      await page.close()
    },
  )

  it('asks for everything once, and for the typeface when the rows are there', async () => {
    const page = await context.newPage()
    const asked: string[] = []
    let rowsAtTypeface = -1
    await page.addInitScript(() => localStorage.removeItem('typeface'))
    // A change that an earlier page could not send any more goes to the address that preferences are read from.
    page.on('request', (request) => asked.push(`${request.method()} ${request.url()}`))
    await page.route('**/*.woff2', async (route) => {
      rowsAtTypeface = await page.locator('[data-row]').count()
      await route.continue()
    })
    await page.goto(`${busy.site.url}/log`)
    await page.locator('html[data-typeface=own]').waitFor()
    await page.waitForLoadState('networkidle')
    expect(rowsAtTypeface).toBeGreaterThan(0)
    expect(asked.filter((url, place) => asked.indexOf(url) < place)).toEqual([])
    await page.close()
  })

  it.each([
    { path: '/log', content: '[data-row]' },
    { path: '/channel', content: '[data-row]' },
    { path: '/token', content: '[data-row]' },
    { path: '/user', content: '[data-row]' },
    { path: '/', content: 'main h1' },
    { path: '/detail', content: 'main h1' },
    { path: '/pricing', content: 'main a[href^="/pricing/model"]' },
  ])(
    '$path makes fewer than 28 requests before what is painted largest is in the page, and hardly moves',
    async ({ path, content }) => {
      const measure = () => measureLoading(context, busy.site.url + path, slow, content)
      const isCalm = (one: Awaited<ReturnType<typeof measure>>) => one.shift < toleratedShift
      const first = await measure()
      // A busy machine paints late now and then: what moves, moves at the second look, too.
      const { requestsBefore, largest, shift, moved } = isCalm(first) ? first : await measure()
      expect(requestsBefore, largest).toBeLessThan(28)
      expect(shift, moved).toBeLessThan(toleratedShift)
    },
  )

  it.each(['/log', '/channel'])('%s has the frame of the console before any script runs', async (path) => {
    const page = await context.newPage()
    await page.route('**/*.js', (route) => route.abort())
    await page.goto(busy.site.url + path)
    const boxes = await page.evaluate(() =>
      ['.frame-top', '.frame-side'].map((place) => {
        const { width, height, top } = document.querySelector(place)?.getBoundingClientRect() ?? new DOMRect()
        return [Math.round(width), Math.round(height), Math.round(top)]
      }),
    )
    expect(boxes).toEqual([
      [1440, 56, 0],
      [200, 844, 56],
    ])
    expect(await page.evaluate(() => document.documentElement.lang)).toBe('en')
    await page.close()
  })
})
