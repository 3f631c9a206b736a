import type { Browser, Page } from 'playwright-core'
import { type Look, type Visit, visit } from '../browser.ts'
import { rootPassword } from '../site.ts'

/** Waits until nothing on the page is still being loaded or moved. */
export const settle = async (page: Page): Promise<void> => {
  await page.waitForFunction(
    () =>
      document.querySelector('#content, main') !== null &&
      document.querySelector('[aria-busy=true], .mantine-Skeleton-root, [role=status][aria-label]') === null &&
      document.getAnimations().every((animation) => animation.playState !== 'running'),
  )
}

/** Types the name and password into the login page and waits for the console behind it. */
export const logIn = async (page: Page, username = 'root', password = rootPassword): Promise<void> => {
  await page.locator('#username').fill(username)
  await page.locator('#password').fill(password)
  await page.locator('form button[type=submit]').click()
  await page.waitForURL((url) => url.pathname !== '/login')
  await page.locator('#content').waitFor()
}

/** A visitor with this look who has just signed in. */
export const visitSignedIn = async (
  browser: Browser,
  url: string,
  look: Look,
  username = 'root',
  password = rootPassword,
): Promise<Visit> => {
  const visitor = await visit(browser, look)
  await visitor.page.goto(`${url}/login`)
  await logIn(visitor.page, username, password)
  return visitor
}
