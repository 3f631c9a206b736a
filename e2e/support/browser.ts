import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import type axe from 'axe-core'
import { type Browser, chromium, type Download, type Page } from 'playwright-core'

/** The headless shell draws the same pixels as Chromium, without the windows around them: a fifth less of the machine's time. */
const candidates = [
  process.env.CHROMIUM_PATH,
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]
const executablePath = candidates.find((path): path is string => path !== undefined && existsSync(path))

/** False when this machine has no browser; journeys then say so and are skipped, except where CI promises one. */
export const browserIsHere = executablePath !== undefined

if (!browserIsHere) {
  if (process.env.CI === 'true') throw new Error('CI installs Chromium, but none was found')
  console.warn('No Chromium was found: the journeys through the console are skipped')
}

const quiet = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Chromium asks the desktop how letters are fitted to pixels; the headless shell has no desktop to ask.
  '--font-render-hinting=slight',
]

export const launchOptions = { executablePath: executablePath ?? '', args: quiet }

/** Holds the address of the browser that the files of a run share. */
export const serverVariable = 'TEST_BROWSER_URL'

/** The browser of this run, or one of its own outside of tests. Closing it closes the pages that it opened. */
export const openBrowser = (): Promise<Browser> => {
  const url = process.env[serverVariable]
  return url === undefined ? chromium.launch(launchOptions) : chromium.connect(url)
}

export const wide = { width: 1440, height: 900 }
export const phone = { width: 390, height: 844 }

/** Narrower windows are touched, wider ones have a mouse. */
const phoneBelow = 768

export interface Look {
  readonly theme: 'light' | 'dark'
  readonly language: 'zh' | 'en'
  readonly size: { width: number; height: number }
  /** Time zone of the browser; the machine's own where absent. */
  readonly zone?: string
}

export interface BrowserTab {
  readonly page: Page
  /** Console errors and failed scripts so far; a journey ends with none. */
  readonly complaints: string[]
}

/** The console answers within a second; a machine with much to do may take as long as the polls of the tests wait. */
const patienceMs = 30_000

/** A fresh visitor with the given theme, language and window; `trustsAll` for pages of other sites whose certificate is a test's. */
export const openTab = async (
  browser: Browser,
  look: Look,
  { trustsAll = false }: { trustsAll?: boolean } = {},
): Promise<BrowserTab> => {
  const context = await browser.newContext({
    ignoreHTTPSErrors: trustsAll,
    viewport: look.size,
    hasTouch: look.size.width < phoneBelow,
    isMobile: look.size.width < phoneBelow,
    colorScheme: look.theme,
    locale: look.language === 'zh' ? 'zh-CN' : 'en-US',
    ...(look.zone === undefined ? {} : { timezoneId: look.zone }),
    reducedMotion: 'reduce',
  })
  await context.addInitScript(
    ([theme, language]) => {
      localStorage.setItem('theme-mode', theme ?? 'light')
      localStorage.setItem('i18nextLng', language ?? 'zh')
    },
    [look.theme, look.language],
  )
  const page = await context.newPage()
  page.setDefaultTimeout(patienceMs)
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() !== 'error') return
    // Chromium says of a failed request only how it failed.
    const { url } = message.location()
    const isRequest = message.text().startsWith('Failed to load resource')
    complaints.push(isRequest ? `${message.text()} ${new URL(url).pathname}` : message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  return { page, complaints }
}

const output = join(import.meta.dirname, '../output')

/** Keeps a picture of the whole window under `e2e/output`. */
export const picture = async (page: Page, name: string): Promise<void> => {
  mkdirSync(output, { recursive: true })
  await page.screenshot({ path: join(output, `${name}.png`) })
}

/** Scope of an axe run. */
export type Judged = 'everything' | 'colours'

/** Rules that a theme decides. */
const colourRules = ['color-contrast', 'link-in-text-block']

/**
 * Scope for a page that is opened in both themes: all but its colours is judged in one of them, since axe takes half the time of a
 * journey.
 */
export const judgedIn = ({ theme }: Look): Judged => (theme === 'light' ? 'everything' : 'colours')

/** Every page reads it anew: a third of the time of what is not minified. */
const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** All accessibility findings of the page, without what it frames, each with the elements that it is about. */
export const findings = async (page: Page, judged: Judged = 'everything'): Promise<string[]> => {
  await page.evaluate(axeSource)
  // The builder for Playwright takes twice the time: it brings the whole report over, and asks every frame.
  return page.evaluate(
    async (rules) => {
      const judge = (globalThis as unknown as { axe: typeof axe }).axe
      const { violations } = await judge.run({
        iframes: false,
        resultTypes: ['violations'],
        // Styles are fetched and read again for an experimental rule alone, which is not asked for.
        preload: { assets: ['media'] },
        ...(rules === undefined ? {} : { runOnly: rules }),
      })
      return violations.map((entry) => `${entry.id}: ${entry.nodes.map((node) => node.html.slice(0, 160)).join(' | ')}`)
    },
    judged === 'colours' ? colourRules : undefined,
  )
}

/** How far a page moved by itself: Chromium's score, and the elements that moved, each with its way in px. */
export interface LayoutShift {
  readonly score: number
  readonly moved: readonly string[]
}

/** Layout shift of the page since it was opened that no press of a key or button explains. */
export const layoutShift = (page: Page): Promise<LayoutShift> =>
  page.evaluate(
    () =>
      new Promise<LayoutShift>((resolve) => {
        type Source = { node: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }
        type Shift = PerformanceEntry & { value: number; hadRecentInput: boolean; sources: readonly Source[] }
        let score = 0
        const moved: string[] = []
        const observer = new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) {
            const shift = entry as Shift
            if (shift.hadRecentInput) continue
            score += shift.value
            for (const { node, previousRect: before, currentRect: after } of shift.sources) {
              const element = node instanceof Element ? node : node?.parentElement
              const name = `${element?.tagName.toLowerCase()}.${element?.className} "${element?.textContent?.slice(0, 30)}"`
              const way = `${before.x},${before.y},${before.height} to ${after.x},${after.y},${after.height}`
              moved.push(`${name} from ${way} after ${Math.round(shift.startTime)} ms`)
            }
          }
        })
        observer.observe({ type: 'layout-shift', buffered: true })
        requestAnimationFrame(() =>
          requestAnimationFrame(() => {
            observer.disconnect()
            resolve({ score, moved })
          }),
        )
      }),
  )

/** By how many pixels the page itself could be scrolled sideways; 0 where nothing sticks out. */
export const sidewaysOverflow = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

/** The text of a file that the page saved, with its byte order mark. Downloads of a shared browser have no path on this side. */
export const downloadedText = async (download: Download): Promise<string> =>
  (await buffer(await download.createReadStream())).toString()
