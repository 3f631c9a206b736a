import { type AuditEntry, type Page as Listed, type LogEntry, logType } from '@tollgate/contract'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FilledSite, openFilledSite } from '../../busy-site/filled-site.ts'
import { browserIsHere, type Look, openBrowser, phone, wide } from '../../support/browser.ts'
import { type FakeUpstream, startFakeUpstream } from '../../support/fake-upstream.ts'
import { noonZone } from '../../support/noon-zone.ts'
import { addChannel, type Person, signIn } from '../../support/operator.ts'
import { field, openPage, openSignedInTab, settle } from '../console.ts'

const mostClicks = 2
const pageSize = 100
const daySeconds = 86_400
/** Days that the log lists without a choice. */
const listedDays = 3
const leewaySeconds = 1_800
/** A model that only the channel of this test serves. */
const model = 'gpt-4.1-nano'

/** Follows links and buttons with the mouse alone, and counts. */
class Newcomer {
  clicks = 0
  readonly page: Page

  constructor(page: Page) {
    this.page = page
  }

  /** Opens the start page and begins to count. */
  async begin(url: string): Promise<void> {
    await openPage(this.page, `${url}/today`)
    this.clicks = 0
  }

  /** Clicks on what can be seen after scrolling; throws where something else lies over it or it is outside of the window. */
  async click(target: Locator): Promise<void> {
    await target.waitFor()
    await target.scrollIntoViewIfNeeded()
    await settle(this.page)
    const name = (await target.innerText()).trim()
    const isSeen = await target.evaluate((element) => {
      const { left, top, width, height } = element.getBoundingClientRect()
      const there = document.elementFromPoint(left + width / 2, top + height / 2)
      return there !== null && element.contains(there)
    })
    expect(isSeen, `“${name}” can be seen`).toBe(true)
    await target.click()
    this.clicks += 1
    await settle(this.page)
  }
}

const looks: readonly (Look & { readonly name: string })[] = [
  { name: 'wide', theme: 'light', language: 'en', size: wide },
  { name: 'phone', theme: 'light', language: 'en', size: phone },
]

/** All rows of the log of one type since a moment, in unix seconds. */
const rowsSince = async (root: Person, type: number, since: number): Promise<LogEntry[]> => {
  const found: LogEntry[] = []
  for (let page = 1; ; page += 1) {
    const query = `type=${type}&start_timestamp=${since}&p=${page}&page_size=${pageSize}`
    const { items } = await root.must<Listed<LogEntry>>('GET', `/api/log/?${query}`)
    found.push(...items)
    if (items.length < pageSize) return found
  }
}

const sumBy = (rows: readonly LogEntry[], of: (row: LogEntry) => [name: string | number, amount: number]) => {
  const sums = new Map<string | number, number>()
  for (const row of rows) {
    const [name, amount] = of(row)
    sums.set(name, (sums.get(name) ?? 0) + amount)
  }
  return sums
}

const largest = (sums: ReadonlyMap<string | number, number>): string | number | undefined =>
  [...sums].toSorted(([, one], [, other]) => other - one)[0]?.[0]

/** Five questions of every operator, each answered with at most two clicks from the start page. */
describe.skipIf(!browserIsHere)('a newcomer to the console', () => {
  let browser: Browser
  let filled: FilledSite
  let upstream: FakeUpstream
  let root: Person
  let now: number

  beforeAll(async () => {
    ;[browser, filled, upstream] = await Promise.all([
      openBrowser(),
      openFilledSite({ seed: 3, days: 32, rows: 1500, channels: 8, users: 12 }),
      startFakeUpstream(),
    ])
    now = Math.floor(Date.now() / 1000)
    root = await signIn(filled.site.url)
    await addChannel(root, upstream.url, { models: model })
  })
  afterAll(async () => {
    await browser?.close()
    await filled?.close()
    await upstream?.close()
  })

  describe.each(looks)('$name', ({ name, ...look }) => {
    let newcomer: Newcomer
    let complaints: string[]

    beforeAll(async () => {
      const tab = await openSignedInTab(browser, filled.site.url, { ...look, zone: noonZone() })
      newcomer = new Newcomer(tab.page)
      complaints = tab.complaints
    })

    const start = () => newcomer.begin(filled.site.url)
    const rows = () => newcomer.page.locator('[data-row]')

    it('opens the receipt of the most expensive call', async () => {
      const charged = await rowsSince(root, logType.consume, now - daySeconds)
      const dearest = charged.toSorted((one, other) => other.quota - one.quota)[0]
      await start()
      await newcomer.click(newcomer.page.getByRole('link', { name: 'Most expensive calls' }))
      await newcomer.click(rows().first())
      const receipt = newcomer.page.getByRole('dialog')
      await receipt
        .getByText(dearest?.request_id ?? 'no request')
        .first()
        .waitFor()
      expect(newcomer.clicks).toBeLessThanOrEqual(mostClicks)
    })

    it('finds the channel that fails, and its failed calls', async () => {
      const failed = await rowsSince(root, logType.error, now - listedDays * daySeconds)
      const recent = failed.filter((row) => row.created_at >= now - daySeconds)
      const answered = await rowsSince(root, logType.consume, now - daySeconds)
      const calls = sumBy([...recent, ...answered], ({ channel }) => [channel, 1])
      const worst = largest(sumBy(recent, ({ channel }) => [channel, 1 / (calls.get(channel) ?? 1)]))
      const channelName = recent.find(({ channel }) => channel === worst)?.channel_name ?? 'no channel'
      await start()
      const card = newcomer.page.locator(`[data-card="channel_failing:${worst}"]`)
      await card.getByText(channelName).first().waitFor()
      await newcomer.click(card.getByRole('link', { name: 'Calls' }))
      const listed = newcomer.page.locator('section[data-calls]').first()
      await listed.waitFor()
      // The list begins three days before it was opened, which is some moments after the rows were counted.
      const since = (seconds: number) => failed.filter((row) => row.channel === worst && row.created_at >= seconds)
      const count = Number(await listed.getAttribute('data-calls'))
      expect(count).toBeLessThanOrEqual(since(now - listedDays * daySeconds).length)
      expect(count).toBeGreaterThanOrEqual(since(now - listedDays * daySeconds + leewaySeconds).length)
      expect(count).toBeGreaterThan(0)
      expect(newcomer.clicks).toBeLessThanOrEqual(mostClicks)
    })

    it('finds who spent most in 30 days', async () => {
      const charged = await rowsSince(root, logType.consume, now - 30 * daySeconds)
      const top = String(largest(sumBy(charged, ({ username, quota }) => [username, quota])))
      await start()
      const spenders = newcomer.page.getByRole('region', { name: 'Top spenders' })
      await newcomer.click(spenders.getByText('30 days', { exact: true }))
      await newcomer.page.waitForURL(/span=30d/)
      const first = spenders.getByRole('listitem').first()
      await first.getByText(top, { exact: true }).waitFor()
      await newcomer.click(first.getByRole('link', { name: `Figures of ${top}` }))
      await newcomer.page.waitForURL(/\/explore/)
      await newcomer.page.getByRole('main').getByText(top).first().waitFor()
      expect(newcomer.clicks).toBeLessThanOrEqual(mostClicks)
    })

    it('reads what was changed yesterday', async () => {
      const changes = await root.must<Listed<AuditEntry>>('GET', '/api/audit/?action=channel.update')
      const [change] = changes.items
      await start()
      await newcomer.click(newcomer.page.getByRole('link', { name: 'Changes made yesterday' }))
      await newcomer.page.waitForURL(/\/audit/)
      const row = rows().filter({ hasText: /priority/i })
      await row.first().waitFor()
      expect(await row.first().innerText()).toContain(change?.object_name ?? 'no channel')
      expect(newcomer.clicks).toBeLessThanOrEqual(mostClicks)
    })

    it('adds a user who can call', async () => {
      await start()
      await newcomer.click(newcomer.page.getByRole('link', { name: 'Add user' }))
      const sheet = newcomer.page.getByRole('dialog')
      await field(sheet, 'Username or email').waitFor()
      expect(newcomer.clicks).toBeLessThanOrEqual(mostClicks)
      await field(sheet, 'Username or email').fill(`new-${name}`)
      await sheet.getByRole('button', { name: '$10.00', exact: true }).first().click()
      await sheet.getByText('Create API key').click()
      await sheet.getByRole('button', { name: 'Add user' }).click()
      await newcomer.page.getByRole('dialog', { name: `API key for new-${name}` }).waitFor()
      const key = /sk-\w{48}/.exec(await sheet.innerText())?.[0] ?? 'no key'
      const answer = await fetch(`${filled.site.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Say hello.' }] }),
      })
      expect(answer.status, await answer.text()).toBe(200)
      expect(complaints).toEqual([])
    })
  })
})
