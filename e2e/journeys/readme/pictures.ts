import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Look, openBrowser, wide } from '../../support/browser.ts'
import { openBusySite } from '../../support/busy-site.ts'
import { openSignedInTab, settle } from '../console.ts'

/** Takes the pictures of the README anew: `npx node e2e/journeys/readme/pictures.ts`. */

const images = join(import.meta.dirname, '../../../docs/images')
mkdirSync(images, { recursive: true })
const [browser, busy] = await Promise.all([openBrowser(), openBusySite()])

const take = async (name: string, look: Look, path: string, until: string): Promise<void> => {
  const { page } = await openSignedInTab(browser, busy.site.url, look)
  await page.goto(`${busy.site.url}${path}`)
  await page.locator(until).first().waitFor()
  await settle(page)
  await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur())
  await page.screenshot({ path: join(images, `${name}.png`) })
  await page.context().close()
}

const receipt = `/log?type=2&request=${busy.retried}`
await take('receipt', { theme: 'light', language: 'en', size: wide }, receipt, '[role=dialog] table')
await take('channels', { theme: 'dark', language: 'en', size: wide }, '/channel', '[data-row="0"]')
await browser.close()
await busy.close()
