import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  browserIsHere,
  findings,
  type Look,
  openBrowser,
  openTab,
  phone,
  picture,
  sidewaysOverflow,
  wide,
} from '../support/browser.ts'
import { type FakeUpstream, startFakeUpstream } from '../support/fake-upstream.ts'
import { addChannel, signIn } from '../support/operator.ts'
import { rootPassword, type Site, startSite } from '../support/site.ts'
import { settle } from './console.ts'

/** Counts what a user presses, over page loads. */
const countClicks = async (page: Page): Promise<() => Promise<number>> => {
  await page.addInitScript(() => {
    addEventListener(
      'pointerdown',
      ({ isTrusted }) => {
        if (isTrusted) sessionStorage.setItem('clicks', String(Number(sessionStorage.getItem('clicks')) + 1))
      },
      true,
    )
  })
  return () => page.evaluate(() => Number(sessionStorage.getItem('clicks')))
}

const mostClicks = 8

interface Case {
  readonly look: Look
  readonly say: Record<
    'search' | 'address' | 'connect' | 'adopt' | 'test' | 'makeKey' | 'send' | 'receipt' | 'open' | 'ask' | 'redeem',
    string
  >
}

const cases: readonly Case[] = [
  {
    look: { theme: 'light', language: 'zh', size: wide },
    say: {
      search: '名称、模型或粘贴密钥',
      address: '地址（可选）',
      connect: '连接并读取模型',
      adopt: '全部采用（1）',
      test: '测试渠道',
      makeKey: '创建 API 令牌',
      send: '在此发送',
      receipt: '第一次调用的收据',
      open: '查看完整收据',
      ask: '向管理员索取兑换码',
      redeem: '使用兑换码',
    },
  },
  {
    look: { theme: 'dark', language: 'en', size: phone },
    say: {
      search: 'Name, model, or paste a key',
      address: 'Address (optional)',
      connect: 'Connect and read models',
      adopt: 'Adopt all (1)',
      test: 'Test the channel',
      makeKey: 'Create API key',
      send: 'Send it from here',
      receipt: 'Receipt of the first call',
      open: 'Open the whole receipt',
      ask: 'Ask the administrator',
      redeem: 'Redeem a code',
    },
  },
]

describe.skipIf(!browserIsHere).each(cases)('the first hour ($look.language, $look.theme)', ({ look, say }) => {
  let browser: Browser
  let site: Site
  let upstream: FakeUpstream
  const shot = (page: Page, name: string): Promise<void> => picture(page, `first-hour-${name}-${look.language}`)

  beforeAll(async () => {
    ;[browser, site, upstream] = await Promise.all([
      openBrowser(),
      startSite(),
      startFakeUpstream({ delayMs: 5, models: ['gpt-4o', 'gpt-4o-mini', 'gpt-4o-next-preview'] }),
    ])
  })
  afterAll(async () => {
    await browser?.close()
    await site?.remove()
    await upstream?.close()
  })

  it('leads an operator from an empty site to a billed call within eight clicks', async () => {
    const { page, complaints } = await openTab(browser, look)
    const clicks = await countClicks(page)
    await page.goto(`${site.url}/login`)
    await page.locator('#username').fill('root')
    await page.locator('#password').fill(rootPassword)
    await page.locator('form button[type=submit]').click()
    const guide = page.locator('section[aria-labelledby=guide-title]')
    const press = (name: string): Promise<void> => guide.getByRole('button', { name, exact: true }).click()
    await guide.waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
    await settle(page)
    await shot(page, 'provider')
    expect([await findings(page), await sidewaysOverflow(page)]).toEqual([[], 0])

    await guide.getByLabel(say.search).fill('sk-proj-0123456789abcdef')
    await guide.getByLabel(say.address).fill(upstream.url)
    await shot(page, 'key')
    await press(say.connect)
    await guide.getByText('gpt-4o-next-preview').first().waitFor()
    await settle(page)
    await shot(page, 'check')
    expect([await findings(page), await sidewaysOverflow(page)]).toEqual([[], 0])
    await press(say.adopt)
    await guide.getByText('gpt-4o-next-preview').nth(1).waitFor({ state: 'detached' })
    await press(say.test)
    await guide.getByRole('button', { name: say.makeKey, exact: true }).waitFor()
    await shot(page, 'make-key')
    await press(say.makeKey)
    await guide.getByRole('button', { name: say.send, exact: true }).waitFor()
    await settle(page)
    await shot(page, 'call')
    await press(say.send)
    const receipt = page.getByRole('region', { name: say.receipt })
    await receipt.waitFor()
    await settle(page)
    await shot(page, 'receipt')
    expect(await receipt.innerText()).toContain('20 / 50')
    expect(await clicks()).toBeLessThanOrEqual(mostClicks)

    const root = await signIn(site.url)
    const [channel] = (await root.must<{ items: { models: string }[] }>('GET', '/api/channel/browse')).items
    // The provider's models, and none of the built-in list.
    expect(channel?.models).toBe('gpt-4o,gpt-4o-mini,gpt-4o-next-preview')
    expect(await root.must('GET', '/api/price_lists/unpriced')).toEqual([])
    await receipt.getByText(say.open).click()
    await page.waitForURL(/\/log\?request=/)
    expect(complaints).toEqual([])
    await page.context().close()
  })

  it('shows a new user the ways to a balance first, and leads on as soon as there is one', async () => {
    const root = await signIn(site.url)
    await addChannel(root, upstream.url, { name: 'more' })
    const { page, complaints } = await openTab(browser, look)
    await page.goto(`${site.url}/register`)
    await page.fill('#username', 'newcomer')
    await page.fill('#password', 'battery-staple')
    await page.fill('#password2', 'battery-staple')
    await page.locator('form button[type=submit]').click()
    await page.waitForURL((url) => url.pathname !== '/register')
    const guide = page.locator('section[aria-labelledby=guide-title]')
    await guide.getByText(say.ask).waitFor()
    await settle(page)
    await shot(page, 'balance')
    expect([await findings(page), await sidewaysOverflow(page)]).toEqual([[], 0])

    await guide.getByText(say.redeem, { exact: true }).click()
    await page.waitForURL('**/topup')
    await settle(page)
    await shot(page, 'wallet')
    // Nothing is offered that cannot work: no amounts, no ways to pay, no shop.
    for (const name of ['支付宝', 'Alipay', '获取兑换码', 'Get a code'])
      expect(await page.getByRole('button', { name }).count()).toBe(0)
    const [key] = await root.must<string[]>('POST', '/api/redemption/', { name: 'first', quota: 500_000, count: 1 })
    await page
      .locator('form input')
      .first()
      .fill(key ?? '')
    await page.locator('form button[type=submit]').click()
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')

    await page.goto(`${site.url}/token`)
    await guide.getByRole('button', { name: say.makeKey, exact: true }).last().click()
    await guide.getByRole('button', { name: say.send, exact: true }).click()
    const receipt = page.getByRole('region', { name: say.receipt })
    await receipt.waitFor()
    expect(await receipt.innerText()).toContain('20 / 50')
    expect(complaints).toEqual([])
    await page.context().close()
  })
})
