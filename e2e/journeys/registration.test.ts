import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestSmtp } from '../../server/src/mail/testing-smtp.ts'
import { browserIsHere, graveFindings, openBrowser, phone, sidewaysOverflow, visit, wide } from '../browser.ts'
import { type Person, signIn } from '../operator.ts'
import { type Site, startSite } from '../site.ts'

const password = 'battery-staple'
const look = { theme: 'light', language: 'en', size: wide } as const

describe.skipIf(!browserIsHere)('somebody new', () => {
  let browser: Browser
  let site: Site
  let root: Person
  let smtp: Awaited<ReturnType<typeof openTestSmtp>>
  let page: Page
  let complaints: string[]

  const set = (key: string, value: string): Promise<unknown> => root.must('PUT', '/api/option/', { key, value })

  beforeAll(async () => {
    ;[browser, site, smtp] = await Promise.all([
      openBrowser(),
      startSite(),
      openTestSmtp({ disabledCommands: ['STARTTLS', 'AUTH'] }),
    ])
    root = await signIn(site.url)
    const { SMTPPort, SMTPFrom } = smtp.settings()
    const options = { SMTPServer: '127.0.0.1', SMTPPort: String(SMTPPort), SMTPFrom, ServerAddress: site.url }
    for (const [key, value] of Object.entries(options)) await set(key, value)
    await set('EmailVerificationEnabled', 'true')
    ;({ page, complaints } = await visit(browser, look))
  })
  afterAll(async () => {
    await browser?.close()
    await site?.remove()
    await smtp?.close()
  })

  it('registers with a code that comes by mail, and is asked to log in', async () => {
    await page.goto(`${site.url}/register`)
    await page.fill('#username', 'alice')
    await page.fill('#password', password)
    await page.fill('#password2', password)
    await page.fill('#email', 'Alice@Example.com')
    await page.getByRole('button', { name: 'Send code' }).click()
    await page.getByText('The code was sent').waitFor()
    const code = /<strong>([0-9a-f]{6})<\/strong>/.exec(smtp.mails.at(-1)?.body ?? '')?.[1] ?? ''
    await page.fill('#verification_code', code)
    await page.getByRole('button', { name: 'Register' }).click()
    await page.getByText('Registered!').waitFor()
    expect(new URL(page.url()).pathname).toBe('/login')
  })

  it('logs in with the address', async () => {
    await page.fill('#username', 'alice@example.com')
    await page.fill('#password', password)
    await page.locator('form button[type=submit]').click()
    await page.waitForURL('**/token')
    await page.locator('#content').waitFor()
  })

  it('gets a new password after losing the old one, and is signed out elsewhere', async () => {
    const other = await visit(browser, look)
    await other.page.goto(`${site.url}/reset`)
    await other.page.fill('#email', 'alice@example.com')
    const sent = smtp.mails.length
    await other.page.getByRole('button', { name: 'Submit' }).click()
    await other.page.getByText('a mail is on its way').waitFor()
    const mail = (await smtp.arrived(sent + 1)).at(-1)
    await other.page.goto(/^http:\S+user\/reset\S+$/m.exec(mail?.body ?? '')?.[0] ?? '')
    await other.page.getByRole('button', { name: 'Generate a password for me' }).click()
    const made = await other.page.locator('#made').inputValue()
    expect(made).toMatch(/^[A-Za-z0-9]{16}$/)
    expect((await signIn(site.url, 'alice', made)).id).toBeGreaterThan(0)
    expect(other.complaints).toEqual([])
    await page.reload()
    await page.waitForURL((url) => url.pathname === '/login')
    await page.context().close()
  })

  it('finds pages that fit a phone and are accessible', async () => {
    const small = await visit(browser, { theme: 'dark', language: 'zh', size: phone })
    for (const path of ['/register', '/reset', '/user/reset?email=a@example.com&token=x', '/login?expired=true']) {
      await small.page.goto(site.url + path)
      await small.page.locator('form').waitFor()
      expect([path, await graveFindings(small.page), await sidewaysOverflow(small.page)]).toEqual([path, [], 0])
    }
    expect(small.complaints).toEqual([])
    expect(complaints).toEqual([])
  })

  it('is told when the operator takes nobody in', async () => {
    await set('RegisterEnabled', 'false')
    const closed = await visit(browser, look)
    await closed.page.goto(`${site.url}/register`)
    await closed.page.getByText('The administrator has disabled registration').waitFor()
    expect(await closed.page.locator('form').count()).toBe(0)
  })
})
