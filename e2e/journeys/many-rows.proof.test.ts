import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  browserIsHere,
  downloadedText,
  findings,
  judgedIn,
  openBrowser,
  picture,
  sidewaysOverflow,
  wide,
} from '../support/browser.ts'
import { type Person, signIn } from '../support/operator.ts'
import {
  type Answer,
  completion,
  json,
  type ScriptedUpstream,
  startScriptedUpstream,
} from '../support/scripted-upstream.ts'
import { type Site, startSite } from '../support/site.ts'
import { notified, openPage, openRow, openSignedInTab, rowMenu, settle, twoLooks } from './console.ts'

/** An upstream that knows one model more than the channels, and one key that it refuses. */
const answer: Answer = (call) => {
  if (call.headers.authorization?.includes('sk-7-')) return json({ error: { message: 'Incorrect API key' } }, 401)(call)
  if (call.path.endsWith('/models')) return json({ data: [{ id: 'gpt-4o' }, { id: 'gpt-5' }] })(call)
  return json(completion())(call)
}

const plant = async (root: Person, address: string): Promise<void> => {
  const key = Array.from({ length: 130 }, (_, index) => `sk-${index}-0123456789`).join('\n')
  const channel = { type: 1, models: 'gpt-4o', group: 'default', base_url: address }
  await root.must('POST', '/api/channel/', { ...channel, name: 'west', key, tag: 'west' })
  await root.must('POST', '/api/channel/', { ...channel, name: 'east', key: 'sk-east-012345', group: 'default,vip' })
  await root.must('POST', '/api/token/batch/create', { name: 'many', unlimited_quota: true, count: 25 })
  await root.must('POST', '/api/token/', { name: 'kept', unlimited_quota: true })
  for (let index = 0; index < 12; index += 1)
    await root.must('POST', '/api/user/', { username: `person${index}`, password: 'battery-staple' })
}

/** Lists with more rows than a page: what is counted, what is left out, and what is done with all of it. */
describe.skipIf(!browserIsHere)('an operator with many rows', () => {
  let browser: Browser
  let site: Site
  let upstream: ScriptedUpstream
  let root: Person
  let page: Page
  let complaints: string[]

  beforeAll(async () => {
    ;[browser, site, upstream] = await Promise.all([openBrowser(), startSite(), startScriptedUpstream()])
    upstream.answer = answer
    root = await signIn(site.url)
    await plant(root, upstream.url)
    const visitor = await openSignedInTab(browser, site.url, { theme: 'light', language: 'en', size: wide })
    page = visitor.page
    complaints = visitor.complaints
  })
  afterAll(async () => {
    await browser?.close()
    await site?.remove()
    await upstream?.close()
  })

  const total = async (path: string): Promise<number> => (await root.must<{ total: number }>('GET', path)).total
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })

  it('sees how many channels each tag has, and asks for the rest', async () => {
    await openPage(page, `${site.url}/channel`)
    await button('Filter by Tag').click()
    await page.getByRole('listitem').filter({ hasText: 'west' }).getByText('130', { exact: true }).waitFor()
    await page.getByRole('combobox', { name: 'Condition of Tag' }).selectOption('is not')
    await page.getByRole('checkbox', { name: 'west', exact: true }).check()
    await button('Tag is not: west').waitFor()
    await settle(page)
    expect(new URL(page.url()).search).toBe('?tag=west&not=tag')
    await page.keyboard.press('Escape')
    await expect.poll(() => page.locator('[data-row]').count()).toBe(1)
    await button('Clear filters').click()
  })

  it('narrows the list to a value by the right button, and leaves one out by the row’s menu', async () => {
    await openPage(page, `${site.url}/channel?keyword=east`)
    await page.locator('[data-row] [data-column=group]').click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Filter by Group: vip' }).click()
    await button('Group: vip').waitFor()
    await rowMenu(page, 'east', 'Filter by a value in this row…')
    await page.getByRole('dialog').getByRole('button', { name: 'Exclude Status: Enabled' }).click()
    await button('Status is not: Enabled').waitFor()
    await page.getByText('No results').waitFor()
  })

  const dialog = (name: string) => page.getByRole('dialog', { name })
  /** Selects the 130 channels of a tag and answers the bar of what can be done with them. */
  const selectWest = async () => {
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
    await button('Select all 130 matching').click()
    return page.getByRole('toolbar', { name: 'All 130 matching selected' })
  }
  const chooseMore = async (entry: string): Promise<void> => {
    await (await selectWest()).getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: entry }).click()
  }

  it('tests all channels that match and exports them', async () => {
    await openPage(page, `${site.url}/channel?tag=west`)
    const bar = await selectWest()
    await bar.getByRole('button', { name: 'Test selected channels' }).click()
    const panel = dialog('Test 130 channels')
    await panel.getByRole('button', { name: 'Test all', exact: true }).click()
    await panel.getByText('130 of 130, 1 failed').waitFor()
    await panel.getByRole('button', { name: 'Failed only' }).click()
    await panel.getByText('Incorrect API key').waitFor()
    expect(await panel.getByRole('listitem').count()).toBe(1)
    await settle(page)
    expect(await findings(page)).toEqual([])
    await picture(page, 'many-rows-tested-wide-light-en')
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'detached' })
    await bar.getByRole('button', { name: 'Export' }).click()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'As CSV' }).click(),
    ])
    // A header, the rows, and their sums.
    expect((await downloadedText(file)).split('\r\n')).toHaveLength(132)
  })

  it('gives all that match other groups, and the models that their upstream has', async () => {
    await openPage(page, `${site.url}/channel?tag=west`)
    await chooseMore('Set groups')
    await dialog('Set group').getByRole('checkbox', { name: 'vip', exact: true }).check()
    await dialog('Set group').getByRole('button', { name: 'Apply' }).click()
    await notified(page, 'Group of 130 channels set to vip')
    expect(await total('/api/channel/browse?group=vip')).toBe(131)
    await chooseMore('Refresh models')
    const panel = dialog('Refresh the models of 130 channels')
    await panel.getByText('130 of 130, 1 failed').waitFor()
    await panel.getByRole('button', { name: 'Retry the one that failed' }).waitFor()
    await panel.locator('summary').first().click()
    await settle(page)
    expect(await findings(page)).toEqual([])
    await picture(page, 'many-rows-models-wide-light-en')
    await panel.getByRole('button', { name: 'Apply to 129 channels' }).click()
    await notified(page, 'Models of 129 channels changed')
    expect(await total('/api/channel/browse?model=gpt-5')).toBe(129)
  })

  it('disables all channels that match, more than one call takes, and deletes them after typing their number', async () => {
    await openPage(page, `${site.url}/channel?tag=west`)
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
    await button('Select all 130 matching').click()
    await page.getByRole('toolbar', { name: 'All 130 matching selected' }).getByText('Disable').click()
    await notified(page, '130 channels disabled')
    expect(await total('/api/channel/browse?status=2')).toBe(130)
    expect(await total('/api/channel/browse?status=1')).toBe(1)

    await openPage(page, `${site.url}/channel?status=2`)
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
    await button('Select all 130 matching').click()
    await page.getByRole('toolbar').getByText('Delete', { exact: true }).click()
    await page.getByRole('dialog').getByLabel('Type 130 to confirm').fill('130')
    await page.keyboard.press('Enter')
    await notified(page, '130 channels deleted')
    expect(await total('/api/channel/browse')).toBe(1)
    expect(await total('/api/audit?action=channel.delete')).toBe(130)
  })

  it('deletes all keys but one', async () => {
    await openPage(page, `${site.url}/token?keyword=many&size=10`)
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
    await button('Select all 25 matching').click()
    await page.getByRole('toolbar').getByText('Delete', { exact: true }).click()
    await page.getByRole('dialog').getByLabel('Type 25 to confirm').fill('25')
    await page.keyboard.press('Enter')
    await notified(page, '25 API keys deleted')
    const left = await root.must<{ items: { name: string }[] }>('GET', '/api/token/browse')
    expect(left.items.map(({ name }) => name)).toEqual(['kept'])
  })

  it('is shown at once what it pointed at, and finds its place again on the way back', async () => {
    await page.setViewportSize({ ...wide, height: 420 })
    await openPage(page, `${site.url}/user?size=10&sort=id&p=1`)
    const requestedPaths: string[] = []
    page.on('request', (request) => requestedPaths.push(new URL(request.url()).pathname))
    const times = (path: RegExp): number => requestedPaths.filter((other) => path.test(other)).length
    const row = await openRow(page, 'person7')
    const overview = page.waitForRequest(/\/api\/user\/\d+\/overview/)
    await row.hover()
    await overview
    const place = await page.evaluate(() => scrollY)
    expect(place).toBeGreaterThan(50)
    await row.click()
    await page.getByRole('heading', { name: 'person7' }).waitFor()
    expect(times(/overview/)).toBe(1)
    await page.goBack()
    await openRow(page, 'person7')
    expect(new URL(page.url()).search).toBe('?size=10&sort=id&p=1')
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(place)

    // The page of a user lists the latest calls, too.
    requestedPaths.length = 0
    const logs = page.waitForRequest(/\/api\/log\/\?/)
    const link = page.getByRole('navigation', { name: 'Sidebar' }).getByRole('link', { name: 'Calls', exact: true })
    await link.hover()
    await logs
    await link.click()
    await settle(page)
    expect(times(/^\/api\/log\/$/)).toBe(1)
    await page.setViewportSize(wide)
  })

  it('disables all users but a protected one, and reads the reason', async () => {
    await openPage(page, `${site.url}/user?size=10`)
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
    await button('Select all 13 matching').click()
    await page.getByRole('toolbar').getByText('Disable', { exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click()
    const summary = page.getByRole('dialog', { name: '12 succeeded, 1 failed' })
    await summary.getByText('root').waitFor()
    await settle(page)
    expect(await findings(page)).toEqual([])
    await picture(page, 'many-rows-summary-wide-light-en')
    await summary.getByRole('button', { name: 'Close' }).last().click()
    expect(await total('/api/user/?status=2')).toBe(12)
  })

  it.each(twoLooks)('can use it in $theme, $language, $size.width px', async (look) => {
    const visitor = await openSignedInTab(browser, site.url, look)
    const zh = look.language === 'zh'
    const name = `${look.size.width}-${look.theme}-${look.language}`
    const faults: string[] = []
    const check = async (what: string): Promise<void> => {
      await settle(visitor.page)
      await picture(visitor.page, `many-rows-${what}-${name}`)
      faults.push(...(await findings(visitor.page, judgedIn(look))).map((finding) => `${what}: ${finding}`))
      if ((await sidewaysOverflow(visitor.page)) > 0) faults.push(`${what}: sticks out`)
    }
    await openPage(visitor.page, `${site.url}/user?role=100&not=role&size=10`)
    if (look.size === wide) {
      await visitor.page.getByRole('button', { name: zh ? '按状态筛选' : 'Filter by Status' }).click()
    } else {
      await visitor.page.getByRole('button', { name: zh ? /^筛选/ : /^Filters/ }).click()
      const filters = visitor.page.getByRole('dialog', { name: zh ? '筛选' : 'Filters' })
      await filters.getByRole('button', { name: zh ? /^状态/ : /^Status/ }).click()
    }
    await visitor.page.getByText('12', { exact: true }).first().waitFor()
    await check('facet')
    await visitor.page.keyboard.press('Escape')
    await visitor.page.getByRole('checkbox', { name: zh ? '选择 person11' : 'Select person11' }).check()
    if (look.size === wide)
      await visitor.page.getByRole('checkbox', { name: zh ? '选择本页全部' : 'Select all on this page' }).check()
    await visitor.page.getByRole('button', { name: zh ? '选择匹配的全部 12 条' : 'Select all 12 matching' }).click()
    await check('matching')
    await rowMenu(visitor.page, 'person11', zh ? '按此行的值筛选…' : 'Filter by a value in this row…')
    await visitor.page.getByRole('dialog').waitFor()
    await check('values')
    expect(faults).toEqual([])
    expect(visitor.complaints).toEqual([])
    await visitor.page.context().close()
  })

  it('causes no error in the browser', () => {
    expect(complaints).toEqual([])
  })
})
