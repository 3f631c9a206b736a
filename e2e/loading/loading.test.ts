import type { Browser, BrowserContext } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type BusySite, openBusySite } from '../journeys/busy-site.ts'
import { browserIsHere, openBrowser } from '../support/browser.ts'
import { lines, measureLoading, signedInContext } from './measure.ts'

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

  it.each(['/log', '/channel', '/user'])('%s makes fewer than 25 requests before its largest paint', async (path) => {
    const { requestsBefore } = await measureLoading(context, busy.site.url + path, slow)
    expect(requestsBefore).toBeLessThan(25)
  })

  it.each([
    { path: '/log', content: '[data-row]' },
    { path: '/channel', content: '[data-row]' },
    { path: '/token', content: '[data-row]' },
    { path: '/user', content: '[data-row]' },
    { path: '/', content: 'main h1' },
    { path: '/detail', content: 'main h1' },
    { path: '/pricing', content: 'main h1' },
  ])('$path hardly moves while it loads', async ({ path, content }) => {
    const { shift, moved } = await measureLoading(context, busy.site.url + path, slow, content)
    expect(shift, moved).toBeLessThan(0.02)
  })

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
