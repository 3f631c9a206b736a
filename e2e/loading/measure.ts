import type { Browser, BrowserContext, Page } from 'playwright-core'
import { logIn } from '../journeys/console.ts'
import { wide } from '../support/browser.ts'

/** A line between the browser and the server; without figures as fast as the machine. */
export interface Line {
  readonly name: string
  readonly roundTripMs?: number
  readonly megabitsPerSecond?: number
  /** How many times slower the processor is made. */
  readonly slowdown?: number
}

export const lines: readonly Line[] = [
  { name: 'LAN' },
  { name: '4G', roundTripMs: 60, megabitsPerSecond: 9 },
  { name: 'slow', roundTripMs: 150, megabitsPerSecond: 1.6, slowdown: 4 },
]

/** Figures of one screen's loading, with an empty cache. */
export interface Loading {
  /**
   * Requests that began before what is painted largest was in the page. What begins between that and the moment at which
   * it is seen depends on how busy the machine is.
   */
  readonly requestsBefore: number
  readonly kilobytesBefore: number
  /** Element that was painted then, and requests before it, for the message of a failing test. */
  readonly largest: string
  /** Milliseconds from the navigation to the first paint, and to the first row or figure (`content`). */
  readonly firstPaintMs: number
  readonly dataMs: number
  /** Cumulative layout shift until everything stands still. */
  readonly shift: number
  /** Element that moved most, for the message of a failing test. */
  readonly moved: string
}

interface LargestPaint extends PerformanceEntry {
  readonly element: Element | null
}

interface Shift extends PerformanceEntry {
  readonly value: number
  readonly hadRecentInput: boolean
  readonly sources: readonly { readonly node: Node | null }[]
}

/** Records paints and layout shifts from the start: the browser reports them only to an observer that is already registered. */
const listen = (content: string): void => {
  // A first visit: signing in has fetched the typeface.
  localStorage.removeItem('typeface')
  const notes = { largestInPageMs: 0, largest: '', shift: 0, moved: [] as string[], dataMs: 0 }
  Object.assign(globalThis, { loadingNotes: notes })
  const added: { node: Node; ms: number }[] = []
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes) for (const node of addedNodes) added.push({ node, ms: performance.now() })
  }).observe(document, { childList: true, subtree: true })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as LargestPaint[]) {
      notes.largestInPageMs = added.find(({ node }) => node.contains(entry.element))?.ms ?? entry.startTime
      notes.largest = `${entry.element?.tagName}.${entry.element?.className} ${entry.element?.textContent?.slice(0, 60)}`
    }
  }).observe({ type: 'largest-contentful-paint', buffered: true })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as Shift[]) {
      if (entry.hadRecentInput) continue
      notes.shift += entry.value
      const nodes = entry.sources.map(({ node }) =>
        node instanceof Element ? `${node.tagName}.${node.className}` : '?',
      )
      notes.moved.push(`${entry.value.toFixed(3)} ${nodes.join(' ')}`)
    }
  }).observe({ type: 'layout-shift', buffered: true })
  const look = (): void => {
    if (document.querySelector(content) && !document.querySelector('.frame')) {
      notes.dataMs = performance.now()
      return
    }
    requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}

const readNotes = () => {
  const { loadingNotes: notes } = globalThis as unknown as {
    loadingNotes: { largestInPageMs: number; largest: string; shift: number; moved: string[]; dataMs: number }
  }
  const resources = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
  const before = resources.filter(({ startTime }) => startTime < notes.largestInPageMs)
  const [page] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  const bytes = before.reduce((sum, { transferSize }) => sum + transferSize, page?.transferSize ?? 0)
  return {
    largest: `${notes.largest}, after ${before.map(({ name }) => name.split('/').at(-1)).join(' ')}`,
    requestsBefore: before.length + 1,
    kilobytesBefore: Math.round(bytes / 1000),
    firstPaintMs: Math.round(performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0),
    dataMs: Math.round(notes.dataMs),
    shift: notes.shift,
    moved: notes.moved.join('; '),
  }
}

const slowDown = async (page: Page, { roundTripMs, megabitsPerSecond, slowdown }: Line): Promise<void> => {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.setCacheDisabled', { cacheDisabled: true })
  if (roundTripMs !== undefined && megabitsPerSecond !== undefined) {
    const bytesPerSecond = (megabitsPerSecond * 1_000_000) / 8
    await session.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: roundTripMs,
      downloadThroughput: bytesPerSecond,
      uploadThroughput: bytesPerSecond,
    })
  }
  if (slowdown !== undefined) await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
}

/** A browser in which root is signed in, for several loadings. */
export const signedInContext = async (browser: Browser, url: string, password?: string): Promise<BrowserContext> => {
  const context = await browser.newContext({ viewport: wide, locale: 'en-US', reducedMotion: 'reduce' })
  const page = await context.newPage()
  await page.goto(`${url}/login`)
  await (password === undefined ? logIn(page) : logIn(page, 'root', password))
  await page.close()
  return context
}

/**
 * Wait for the network to become quiet. Parts that open on a screen are fetched one by one when the browser is idle, which takes a slow
 * line and a busy machine minutes; all figures are complete long before.
 */
const mostMsUntilQuiet = 20_000

/** Loads a screen over this line, with an empty cache, and waits until `content` is there and the screen stands still. */
export const measureLoading = async (
  context: BrowserContext,
  address: string,
  line: Line,
  content = '[data-row], [data-loaded]',
): Promise<Loading> => {
  const page = await context.newPage()
  page.setDefaultTimeout(60_000)
  await page.addInitScript(listen, content)
  await slowDown(page, line)
  await page.goto(address)
  await page.waitForFunction((wanted) => document.querySelector(wanted) !== null, content)
  await Promise.race([
    page.waitForLoadState('networkidle'),
    new Promise((resolve) => setTimeout(resolve, mostMsUntilQuiet)),
  ])
  const loading = await page.evaluate(readNotes)
  await page.close()
  return loading
}
