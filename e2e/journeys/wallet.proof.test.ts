import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestGateway, type TestGateway } from '../../server/test/support/features/payment-gateway.ts'
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
import { addCustomer, type Person, signIn } from '../support/operator.ts'
import { type Site, startSite } from '../support/site.ts'
import { choose, field, notified, openPage, openRow, openSignedInTab, rowMenu, settle, twoLooks } from './console.ts'

const password = 'battery-staple'
const merchantId = '1001'
const key = 'merchant-key'

const setUpPayments = async (root: Person, site: Site, gateway: TestGateway): Promise<void> => {
  const options = { PayAddress: gateway.url, EpayId: merchantId, EpayKey: key, ServerAddress: site.url }
  for (const [name, value] of Object.entries({ ...options, TopUpLink: 'https://shop.example/codes' }))
    await root.must('PUT', '/api/option/', { key: name, value })
}

/** A user buys and redeems quota, an administrator makes codes and looks after the payments; each step needs the ones before. */
describe.skipIf(!browserIsHere)('the wallet and redemption codes', () => {
  const look = { theme: 'light', language: 'en', size: wide } as const
  let browser: Browser
  let site: Site
  let gateway: TestGateway
  let page: Page
  let warden: Page
  const complaints: string[][] = []
  let codes: string[] = []

  beforeAll(async () => {
    ;[browser, site, gateway] = await Promise.all([openBrowser(), startSite(), startTestGateway({ merchantId, key })])
    const root = await signIn(site.url)
    await addCustomer(site.url, root, 'alice', 500_000)
    await root.must('POST', '/api/user/', { username: 'warden', password, display_name: 'warden' })
    const { items } = await root.must<{ items: { id: number }[] }>('GET', '/api/user/search?keyword=warden')
    await root.must('POST', '/api/user/manage', { id: items[0]?.id, action: 'promote' })
    const [user, admin] = [
      await openSignedInTab(browser, site.url, look, { username: 'alice', password }),
      await openSignedInTab(browser, site.url, look, { username: 'warden', password }),
    ]
    page = user.page
    warden = admin.page
    complaints.push(user.complaints, admin.complaints)
  })
  afterAll(async () => {
    await browser?.close()
    await site?.remove()
    await gateway?.close()
  })

  const go = (where: Page, path: string) => openPage(where, site.url + path)
  const dialog = (where: Page) => where.getByRole('dialog')
  const balance = () => page.locator('#content dl dd').first()

  it('says so while neither payments nor a shop are set up', async () => {
    await go(page, '/topup')
    await page.getByText('Online top-up is not enabled').waitFor()
    await page.getByText('No top-up link is set').waitFor()
    for (const name of ['Alipay', 'WeChat Pay']) expect(await page.getByRole('button', { name }).count()).toBe(0)
    expect(await page.getByRole('link', { name: 'Get a code' }).count()).toBe(0)
    await setUpPayments(await signIn(site.url), site, gateway)
  })

  it('makes a batch of codes, copies, downloads and exports them', async () => {
    await go(warden, '/redemption')
    await warden.getByRole('button', { name: 'Add codes' }).first().click()
    await dialog(warden).getByRole('button', { name: '$10.00', exact: true }).click()
    await field(dialog(warden), 'How many').fill('101')
    await dialog(warden).getByRole('button', { name: 'Submit' }).click()
    await dialog(warden).getByText('At most 100 at once').last().waitFor()
    await field(dialog(warden), 'How many').fill('3')
    await dialog(warden).getByRole('button', { name: 'Submit' }).click()
    await dialog(warden).getByText('Redemption codes created').waitFor()
    codes = await dialog(warden).locator('li').allInnerTexts()
    expect(codes).toHaveLength(3)
    const [text] = await Promise.all([
      warden.waitForEvent('download'),
      dialog(warden).getByRole('button', { name: 'Download text' }).click(),
    ])
    expect(text.suggestedFilename()).toBe('$10.00.txt')
    expect(await downloadedText(text)).toBe(codes.join('\n'))
    await dialog(warden).getByRole('button', { name: 'Done' }).click()
    await openRow(warden, '$10.00')
    expect(await warden.locator('#content').innerText()).not.toContain(codes[0])

    await warden.getByLabel('Select all on this page').click()
    const [table] = await Promise.all([
      warden.waitForEvent('download'),
      warden.getByRole('button', { name: 'Export selected with codes' }).click(),
    ])
    const csv = await downloadedText(table)
    for (const code of codes) expect(csv).toContain(code)
  })

  it('shows a code on demand, edits and disables codes', async () => {
    const row = await openRow(warden, '$10.00')
    await row.getByRole('button', { name: 'Show', exact: true }).click()
    await row.locator('code', { hasText: /^[0-9a-f]{32}$/ }).waitFor()
    await rowMenu(warden, '$10.00', 'Edit')
    await field(dialog(warden), 'Name').fill('for a friend')
    await dialog(warden).getByRole('button', { name: 'Submit' }).click()
    await notified(warden, 'Redemption code updated')
    await rowMenu(warden, 'for a friend', 'Disable')
    await (await openRow(warden, 'for a friend')).getByText('Disabled').waitFor()
    await choose(warden, 'Status', 'Disabled')
    await expect.poll(() => warden.locator('[data-row]').count()).toBe(1)
    await warden.getByRole('button', { name: 'Clear filters' }).click()
    await openRow(warden, '$10.00')
  })

  it('redeems a code once, and reads why another one fails', async () => {
    await go(page, '/topup')
    const shop = page.getByRole('link', { name: 'Get a code' })
    expect(await shop.getAttribute('href')).toBe('https://shop.example/codes')
    await page.getByRole('button', { name: 'Redeem', exact: true }).click()
    await page.getByText('Enter a redemption code').waitFor()
    await page.getByLabel('Redemption code', { exact: true }).fill(` ${codes[0]} `)
    await page.getByRole('button', { name: 'Redeem', exact: true }).click()
    await dialog(page).getByText('$10.00 added').waitFor()
    await dialog(page).getByRole('button', { name: 'OK' }).click()
    await balance().getByText('$11.00').waitFor()
    await page.getByLabel('Redemption code', { exact: true }).fill(codes[0] ?? '')
    await page.getByRole('button', { name: 'Redeem', exact: true }).click()
    await page.getByText('Redeeming failed: the code was used already').waitFor()
  })

  it('buys quota: the price follows the amount, the gateway opens in a tab, the order turns paid by itself', async () => {
    await page.getByRole('button', { name: '$50.00 365.00 CNY' }).click()
    await page.getByText('To pay: 365.00 CNY').waitFor()
    const amount = page.getByLabel(/^To pay/)
    await amount.fill('0')
    await page.getByText('The minimum is 1').waitFor()
    await amount.fill('20')
    await page.getByText('To pay: 146.00 CNY').waitFor()
    await page.getByRole('button', { name: 'WeChat Pay' }).click()
    await dialog(page).getByText('To pay: 146.00 CNY').waitFor()
    const [cashier] = await Promise.all([
      page.context().waitForEvent('page'),
      dialog(page).getByRole('button', { name: 'OK' }).click(),
    ])
    await cashier.getByText('Pay 146.00').waitFor()
    await dialog(page).getByText('Waiting for payment').waitFor()
    expect(gateway.refused).toEqual([])
    const order = [...gateway.orders.values()].at(-1)
    expect(order?.fields).toMatchObject({ type: 'wxpay', money: '146.00' })

    await cashier.getByRole('button', { name: 'Pay now' }).click()
    await cashier.waitForURL((url) => url.pathname === '/topup')
    await cashier.getByText('Topped up').waitFor()
    expect(new URL(cashier.url()).search).toBe(`?order=${order?.fields.out_trade_no}`)
    await cashier.close()
    await dialog(page).getByText('Topped up').waitFor()
    await dialog(page).getByText('$20.00 was added').waitFor()
    await dialog(page).getByRole('button', { name: 'Close' }).last().click()
    await balance().getByText('$31.00').waitFor()
  })

  it('finds the order and every movement in the records', async () => {
    const row = await openRow(page, order())
    for (const part of ['Paid', '$20.00', '146.00 CNY', 'WeChat Pay']) expect(await row.innerText()).toContain(part)
    await page.getByRole('navigation', { name: 'Wallet sections' }).getByText('Ledger').click()
    expect(await (await openRow(page, 'Top-up')).innerText()).toContain('+$20.00')
    expect(await (await openRow(page, 'Redemption code')).innerText()).toContain('+$10.00')
    await expect.poll(() => page.getByText('All orders').count()).toBe(0)
  })
  const order = (): string => [...gateway.orders.keys()].at(-1) ?? ''

  it('lets the administrator ask the gateway about a payment whose callback was lost', async () => {
    await go(page, '/topup')
    await page.getByRole('button', { name: 'Alipay' }).click()
    const [cashier] = await Promise.all([
      page.context().waitForEvent('page'),
      dialog(page).getByRole('button', { name: 'OK' }).click(),
    ])
    await cashier.getByText('Pay 7.30').waitFor()
    await cashier.close()
    await go(warden, '/payment')
    await rowMenu(warden, order(), 'Check with gateway')
    await notified(warden, 'The payment gateway says that the order is not paid')
    const paid = gateway.orders.get(order())
    if (paid) paid.paid = true
    await rowMenu(warden, order(), 'Check with gateway')
    await notified(warden, 'Order paid and credited')
    await dialog(page).getByText('Topped up').waitFor()
    await rowMenu(warden, order(), 'View callbacks')
    await openRow(warden, 'Manual check')
    await expect.poll(() => warden.locator('[data-row]').count()).toBe(2)
  })

  it('shows the administrator the callbacks that were rejected', async () => {
    const forged = new URLSearchParams(gateway.callback(order(), { money: '0.01', sign: '0'.repeat(32) }))
    expect(await (await fetch(`${site.url}/api/user/epay/notify?${forged}`)).text()).toBe('fail')
    await go(warden, '/topup?tab=callbacks')
    await warden.waitForURL(/\/payment\?tab=callbacks$/)
    const row = await openRow(warden, 'Bad signature')
    expect(await row.innerText()).toContain('Invalid')
    await row.click()
    await dialog(warden).getByText('0.01').waitFor()
    expect(await dialog(warden).innerText()).not.toContain('0'.repeat(32))
    await go(warden, '/redemption')
    await (await openRow(warden, 'alice')).getByText('Used').waitFor()
    expect(complaints.flat().filter((text) => !text.includes('net::ERR_ABORTED'))).toEqual([])
  })
})

const stops: readonly { name: string; path: string; until: string; act?: (page: Page) => Promise<void> }[] = [
  { name: 'wallet', path: '/topup', until: '[data-row="0"]' },
  { name: 'wallet-ledger', path: '/topup?tab=ledger', until: '[data-row="0"]' },
  { name: 'payments', path: '/payment', until: '[data-row="0"]' },
  { name: 'payments-callbacks', path: '/payment?tab=callbacks', until: '[data-row="0"]' },
  {
    name: 'wallet-confirm',
    path: '/topup',
    until: '[data-row="0"]',
    act: async (page) => {
      await page.locator('#content section').first().locator('button').last().click()
      await page.locator('[role=dialog]').waitFor()
    },
  },
  { name: 'redemptions', path: '/redemption', until: '[data-row="0"]' },
  {
    name: 'redemptions-selected',
    path: '/redemption?status=1',
    until: '[data-row="0"]',
    act: async (page) => {
      await page.locator('[data-row="0"] input[type=checkbox]').click()
      await page.locator('[role=toolbar]').waitFor()
    },
  },
  { name: 'redemption-add', path: '/redemption?add=1', until: '[role=dialog] form' },
]

describe.skipIf(!browserIsHere)('the screens of the wallet and of redemption codes', () => {
  let browser: Browser
  let site: Site
  let gateway: TestGateway
  let paid = ''

  beforeAll(async () => {
    ;[browser, site, gateway] = await Promise.all([openBrowser(), startSite(), startTestGateway({ merchantId, key })])
    const root = await signIn(site.url)
    await setUpPayments(root, site, gateway)
    await root.must('POST', '/api/redemption/', { name: 'Newsletter', quota: 5_000_000, count: 8 })
    const gifts = await root.must<string[]>('POST', '/api/redemption/', {
      name: '中秋节礼物',
      quota: 2_500_000,
      count: 4,
    })
    for (const gift of gifts.slice(0, 2)) await root.must('POST', '/api/user/topup', { key: gift })
    const { items } = await root.must<{ items: { id: number }[] }>('GET', '/api/redemption/?page_size=10')
    await root.must('PUT', '/api/redemption/?status_only=true', { id: items[0]?.id, status: 2 })
    for (const [amount, payment_method] of [
      [10, 'zfb'],
      [100, 'wx'],
      [1, 'zfb'],
    ] as const) {
      const answer = await root.ask<Record<string, string>>('POST', '/api/user/pay', { amount, payment_method })
      await fetch(`${gateway.url}/submit.php`, {
        method: 'POST',
        body: new URLSearchParams(answer.data),
        redirect: 'manual',
      })
      paid = answer.data.out_trade_no ?? ''
      if (amount > 1) await gateway.notify(paid)
    }
    await gateway.notify(paid, { changes: { money: '0.01' } })
  })
  afterAll(async () => {
    await browser?.close()
    await site?.remove()
    await gateway?.close()
  })

  it.each(twoLooks)('are whole, readable and quiet: $name', async (look) => {
    const { page, complaints } = await openSignedInTab(browser, site.url, look)
    const faults: string[] = []
    for (const stop of [...stops, { name: 'wallet-order', path: `/topup?order=${paid}`, until: '[role=dialog] dl' }]) {
      await page.goto(`${site.url}${stop.path}`)
      await page.locator(stop.until).first().waitFor()
      await settle(page)
      await stop.act?.(page)
      await settle(page)
      await picture(page, `${stop.name}.${look.name}`)
      const overflow = await sidewaysOverflow(page)
      if (overflow > 0) faults.push(`${stop.name}: scrolls sideways by ${overflow} px`)
      faults.push(...(await findings(page, judgedIn(look))).map((finding) => `${stop.name}: ${finding}`))
    }
    await page.context().close()
    expect(faults).toEqual([])
    expect(complaints).toEqual([])
  })
})
