import type { Browser, Locator, Page } from 'playwright-core'
import { type BrowserTab, type Look, openTab, phone, wide } from '../support/browser.ts'
import { rootPassword } from '../support/site.ts'

export type NamedLook = Look & { readonly name: string }

/** Each theme, language and width once, for the screens that only a journey reaches. `every-screen.ts` opens the others in all looks. */
export const twoLooks: readonly NamedLook[] = [
  { name: 'zh-light-wide', theme: 'light', language: 'zh', size: wide },
  { name: 'en-dark-phone', theme: 'dark', language: 'en', size: phone },
]

/** Waits until nothing on the page is still being loaded or moved. */
export const settle = async (page: Page): Promise<void> => {
  await page.waitForFunction(
    () =>
      document.querySelector('#content, main') !== null &&
      document.documentElement.getAttribute('data-typeface') === 'own' &&
      document.fonts.status === 'loaded' &&
      document.querySelector('[aria-busy=true], .mantine-Skeleton-root, [role=status][aria-label]') === null &&
      document.getAnimations().every((animation) => animation.playState !== 'running'),
  )
}

/** Opens an address and waits until its page is whole. */
export const openPage = async (page: Page, address: string): Promise<void> => {
  await page.goto(address)
  await settle(page)
}

/** Waits for a notification that says `text`. */
export const notified = (page: Page, text: string | RegExp): Promise<void> =>
  page.locator('.mantine-Notification-root', { hasText: text }).last().waitFor()

/** Types the name and password into the login page and waits for the console behind it. */
export const logIn = async (page: Page, username = 'root', password = rootPassword): Promise<void> => {
  await page.locator('#username').fill(username)
  await page.locator('#password').fill(password)
  await page.locator('form button[type=submit]').click()
  try {
    await page.waitForURL((url) => url.pathname !== '/login')
  } catch (cause) {
    const name = await page.locator('#username').inputValue()
    throw new Error(`"${name}" is still at the login page: ${await page.locator('form').innerText()}`, { cause })
  }
  await page.locator('#content').waitFor()
}

const root = { username: 'root', password: rootPassword }

/** A visitor with this look who has just signed in; root by default. */
export const openSignedInTab = async (
  browser: Browser,
  url: string,
  look: Look,
  { username, password }: { readonly username: string; readonly password: string } = root,
): Promise<BrowserTab> => {
  const visitor = await openTab(browser, look)
  await visitor.page.goto(`${url}/login`)
  await logIn(visitor.page, username, password)
  return visitor
}

/** The input with this label, whatever mark of necessity the label carries. */
export const field = (place: Page | Locator, label: string): Locator =>
  place
    .getByRole('textbox', { name: label, exact: true })
    .or(place.getByLabel(new RegExp(`^${label}( \\*)?$`)))
    .first()

/** Opens a tab of the form of a channel. */
export const openFormTab = (sheet: Locator, name: string): Promise<void> =>
  sheet.getByRole('tab', { name: new RegExp(`^${name}`) }).click()

/** The row or card that says `text`, once it is there. */
export const openRow = async (page: Page, text: string): Promise<Locator> => {
  const row = page.locator('[data-row]', { hasText: text }).first()
  await row.waitFor()
  return row
}

/** Opens the ⋯ menu of the row and chooses an entry. */
export const rowMenu = async (page: Page, text: string, entry: string): Promise<void> => {
  const row = await openRow(page, text)
  // Parts of the row that load late may move its button.
  await settle(page)
  await row.locator('button[aria-haspopup=menu]').last().click()
  // A menu that still moves is missed, and a page that is moved instead takes the menu's button out of sight.
  await settle(page)
  await page.getByRole('menuitem', { name: entry, exact: true }).click()
}

/** Adds a value to the filter chip of this name. */
export const choose = async (page: Page, filter: string, value: string): Promise<void> => {
  await page.getByRole('button', { name: `Filter by ${filter}`, exact: true }).click()
  await page.getByLabel(value, { exact: true }).click()
  await page.getByRole('button', { name: `${filter}: ${value}`, exact: true }).waitFor()
}
