import type { Page } from 'playwright-core'

/** One of the sessions that the console lists. */
interface ListedSession {
  readonly first_time: number
  readonly last_time: number
}

/**
 * Answers the list of sessions as it was when their last calls were made: a session runs for five minutes, and how long ago a test has made
 * its calls depends on the machine.
 */
export const steadySessions = async (page: Page): Promise<void> => {
  await page.route(/\/api\/sessions\/(self)?(\?|$)/, async (route) => {
    const response = await route.fetch()
    const answer = (await response.json()) as { data: { items: readonly ListedSession[] } }
    const now = Math.floor(Date.now() / 1000)
    const items = answer.data.items.map((session) => {
      const { first_time, last_time } = session
      return { ...session, first_time: first_time + now - last_time, last_time: now }
    })
    await route.fulfill({ response, json: { ...answer, data: { ...answer.data, items } } })
  })
}
