import { openBrowser } from '../support/browser.ts'
import { rootPassword } from '../support/site.ts'
import { type Loading, lines, measureLoading, signedInContext } from './measure.ts'

/**
 * How long screens take to load over several lines: `npm run bench:pages`, against a site of its own that is filled with
 * data; or with BENCH_URL and BENCH_PASSWORD against a running one.
 */

const row = '[data-row]'
/** A list without rows says why instead. */
const rowOrNone = '[data-row], [data-empty]'
const figure = 'main dd:not(:has([class*=Skeleton]))'
/** Screens and what of them is data: a row, a figure, a card. */
const screens: readonly (readonly [path: string, content: string])[] = [
  ['/log', row],
  ['/channel', row],
  ['/channel/1', figure],
  ['/token', row],
  ['/token/6', figure],
  ['/user', row],
  ['/user/2', figure],
  ['/detail', figure],
  ['/explore', 'main section table tbody tr'],
  ['/sessions', rowOrNone],
  ['/live', figure],
  ['/pricing', 'main a[href^="/pricing/model"]'],
  ['/pricing/model/gpt-4o', figure],
  ['/topup', 'main h1'],
  ['/personal', 'main form'],
  ['/setting', 'main form, main input'],
  ['/audit', row],
  ['/redemption', rowOrNone],
  ['/task', rowOrNone],
  ['/', 'main h1'],
]
const asked = process.env.BENCH_PATHS?.split(',')
const measuredScreens = screens.filter(([path]) => asked?.includes(path) ?? true)
/** The names of lines, such as `slow`; all of them unless BENCH_LINES says which. */
const measured = lines.filter(({ name }) => process.env.BENCH_LINES?.split(',').includes(name) ?? true)
const rounds = Number(process.env.BENCH_ROUNDS ?? 3)

const openSite = async (): Promise<{ url: string; close: () => Promise<void> }> => {
  const { BENCH_URL: url } = process.env
  if (url !== undefined) return { url, close: async () => undefined }
  const { openBusySite } = await import('../support/busy-site.ts')
  const busy = await openBusySite()
  return { url: busy.site.url, close: busy.close }
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

const site = await openSite()
const browser = await openBrowser()
const context = await signedInContext(browser, site.url, process.env.BENCH_PASSWORD ?? rootPassword)
console.info(
  '| screen | line | requests before the largest paint | kB before it | first paint, ms | data visible, ms | shift |',
)
console.info('|---|---|---|---|---|---|---|')
for (const [path, content] of measuredScreens)
  for (const line of measured) {
    const all: Loading[] = []
    for (let round = 0; round < rounds; round += 1)
      all.push(await measureLoading(context, site.url + path, line, content))
    const of = (figure: (loading: Loading) => number): number => median(all.map(figure))
    const cells = [
      of(({ requestsBefore }) => requestsBefore),
      of(({ kilobytesBefore }) => kilobytesBefore),
      of(({ firstPaintMs }) => firstPaintMs),
      of(({ dataMs }) => dataMs),
      of(({ shift }) => shift).toFixed(3),
    ]
    console.info(`| ${path} | ${line.name} | ${cells.join(' | ')} |`)
  }
await browser.close()
await site.close()
