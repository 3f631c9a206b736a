import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import OpenAI from 'openai'
import type { Browser, Page } from 'playwright-core'
import { Agent } from 'undici'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '../../server/src/config/config.ts'
import { type BrowserTab, browserIsHere, openBrowser, openTab, wide } from '../support/browser.ts'
import { addChannel, signIn } from '../support/operator.ts'
import { type PrefixProxy, startPrefixProxy } from '../support/prefix-proxy.ts'
import { type ScriptedUpstream, startScriptedUpstream } from '../support/scripted-upstream.ts'
import { type Site, startSite } from '../support/site.ts'
import { field, logIn, settle } from './console.ts'

const prefix = '/gw'

it('refuses base paths that are the beginning of a page', () => {
  const list = readFileSync(join(import.meta.dirname, '../../web/dist/.vite/page-files.json'), 'utf8')
  const first = new Set(Object.keys(JSON.parse(list)).map((page) => page.split('/')[1] ?? ''))
  const taken = [...first].filter((part) => part !== '' && part !== '$')
  expect(taken.length).toBeGreaterThan(20)
  for (const part of taken) expect(() => readConfig({ BASE_PATH: `/${part}` }), part).toThrow('BASE_PATH')
})

/** Below a path of a host that has other pages of its own, from the sign-in to a client's call, with nothing asked for outside of it. */
describe.skipIf(!browserIsHere).each([
  { strips: true, title: 'takes the path away' },
  { strips: false, title: 'leaves the path' },
])('a console behind a proxy that $title', ({ strips }) => {
  let browser: Browser
  let site: Site
  let upstream: ScriptedUpstream
  let proxy: PrefixProxy
  let visitor: BrowserTab
  let page: Page
  const whole = (path: string) => `${proxy.origin}${prefix}${path}`

  beforeAll(async () => {
    ;[browser, upstream, site] = await Promise.all([
      openBrowser(),
      startScriptedUpstream(),
      startSite({ BASE_PATH: prefix, GLOBAL_WEB_RATE_LIMIT_ENABLE: 'false' }),
    ])
    proxy = await startPrefixProxy(site.url, { prefix, strips })
    await addChannel(await signIn(site.url), upstream.url)
    visitor = await openTab(browser, { theme: 'light', language: 'en', size: wide }, { trustsAll: true })
    page = visitor.page
  })
  afterAll(async () => {
    await browser?.close()
    proxy?.close()
    await site?.remove()
    await upstream?.close()
  })

  it('sends a visitor to the login page and back to the page that was asked for', async () => {
    await page.goto(whole('/channel?status=1'))
    await page.waitForURL((url) => url.pathname === `${prefix}/login`)
    await logIn(page)
    await page.waitForURL((url) => url.pathname === `${prefix}/channel` && url.searchParams.get('status') === '1')
    await page.locator('[data-row="0"]').waitFor()
    expect((await page.context().cookies()).map(({ path }) => path)).toEqual([prefix, prefix])
  })

  it('opens every page of the sidebar', async () => {
    const links = page.locator('nav a[href]')
    const paths = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''))
    const own = paths.filter((path) => path.startsWith('/'))
    expect(own.length).toBeGreaterThan(12)
    expect(own.filter((path) => path !== prefix && !path.startsWith(`${prefix}/`))).toEqual([])
    // Pages of several parts go on to the first part (`/setting` to `/setting/essentials`), at times before the wait begins.
    const isAt = ({ pathname }: URL, path: string): boolean => {
      const [here, wanted] = [pathname.replace(/\/$/, ''), path.split('?')[0]?.replace(/\/$/, '') ?? '']
      return here === wanted || (wanted !== prefix && here.startsWith(`${wanted}/`))
    }
    for (const path of new Set(own)) {
      await page.locator(`nav a[href="${path}"]`).first().click()
      await page.waitForURL((url) => isAt(url, path))
      await settle(page)
      expect(await page.locator('main, #content').first().innerText(), path).not.toContain('Page not found')
      if (path.replace(/\/$/, '') === prefix) await page.goto(whole('/channel'))
    }
  })

  it('shows the address below the path with a new key, which an official client calls', async () => {
    await page.goto(whole('/token?add=1'))
    const sheet = page.locator('[role=dialog]')
    await field(sheet, 'Name').fill('below a path')
    await sheet.locator('button[type=submit]').click()
    const snippet = sheet.locator('pre', { hasText: '/v1' }).first()
    await snippet.waitFor()
    expect(await sheet.innerText()).toContain(whole(''))
    const root = await signIn(site.url)
    const [token] = await root.must<{ id: number }[]>('GET', '/api/token/')
    const revealed = await root.must<{ key: string } | string>('POST', `/api/token/${token?.id}/key`)
    const key = `sk-${typeof revealed === 'string' ? revealed : revealed.key}`
    const dispatcher = new Agent({ connect: { rejectUnauthorized: false } })
    const client = new OpenAI({ apiKey: key, baseURL: whole('/v1'), fetchOptions: { dispatcher } as never })
    const answer = await client.chat.completions.create({
      model: 'gpt-4o',
      messages: [{ role: 'user', content: 'Say hello.' }],
    })
    expect(answer.choices[0]?.message.content).not.toBe('')
    expect((await client.models.list()).data.map(({ id }) => id)).toContain('gpt-4o')
    await dispatcher.close()
  })

  it('opens a deep address again, also by the way back', async () => {
    await page.goto(whole('/channel/1?tab=keys'))
    await settle(page)
    await page.reload()
    await settle(page)
    expect(new URL(page.url()).pathname).toBe(`${prefix}/channel/1`)
    await page.locator('main h1', { hasText: 'main' }).waitFor()
    await page.goto(whole('/setting/prices'))
    await settle(page)
    await page.goBack()
    await page.locator('main h1', { hasText: 'main' }).waitFor()
  })

  it('has asked for nothing outside of the path, and nothing failed', () => {
    expect(proxy.outside).toEqual([])
    expect(visitor.complaints).toEqual([])
  })
})
