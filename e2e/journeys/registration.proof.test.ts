import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestSmtp } from '../../server/test/support/mail/smtp.ts'
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
import { addChannel, type Person, signIn } from '../support/operator.ts'
import { type Site, startSite } from '../support/site.ts'
import { field, logIn, settle } from './console.ts'

const password = 'battery-staple'

interface Case {
  readonly look: Look
  readonly say: Record<
    'sendCode' | 'codeSent' | 'register' | 'registered' | 'addToken' | 'name' | 'submit' | 'done' | 'model' | 'write',
    string
  > &
    Record<'mailSent' | 'reset' | 'generate' | 'delete' | 'type' | 'deleted' | 'closed', string>
}

const cases: Case[] = [
  {
    look: { theme: 'light', language: 'en', size: wide },
    say: {
      sendCode: 'Send code',
      codeSent: 'Code sent; check your inbox',
      register: 'Register',
      registered: 'Registered',
      addToken: 'Create API key',
      name: 'Name',
      submit: 'Save',
      done: 'Done',
      model: 'Model',
      write: 'Type a message',
      mailSent: 'sent a reset link',
      reset: 'Send reset link',
      generate: 'Generate a password',
      delete: 'Delete my account',
      type: 'Enter your username to confirm',
      deleted: 'Account deleted',
      closed: 'Registration is closed',
    },
  },
  {
    look: { theme: 'dark', language: 'zh', size: phone },
    say: {
      sendCode: '获取验证码',
      codeSent: '验证码发送成功，请检查你的邮箱！',
      register: '注册',
      registered: '注册成功！',
      addToken: '添加令牌',
      name: '名称',
      submit: '保存',
      done: '完成',
      model: '模型',
      write: '输入消息',
      mailSent: '重置邮件已发送',
      reset: '发送重置链接',
      generate: '生成随机密码',
      delete: '删除个人账户',
      type: '请输入你的账户名以确认删除！',
      deleted: '账户已删除！',
      closed: '未开放注册',
    },
  },
]

/** The whole stay of a user, through the screens; each step needs the ones before it. */
describe.skipIf(!browserIsHere).each(cases)('a new visitor ($look.language, $look.theme)', ({ look, say }) => {
  const shot = (name: string): Promise<void> => picture(page, `newcomer-${name}-${look.language}`)
  let upstream: FakeUpstream
  let made = ''
  let browser: Browser
  let site: Site
  let root: Person
  let smtp: Awaited<ReturnType<typeof openTestSmtp>>
  let page: Page
  let complaints: string[]
  /** Without the refusals that lead to the login page, of which the browser itself complains, some of them late. */
  const ownComplaints = (): string[] => complaints.filter((complaint) => !complaint.includes('401'))

  const set = (key: string, value: string): Promise<unknown> => root.must('PUT', '/api/option/', { key, value })

  beforeAll(async () => {
    ;[browser, site, upstream, smtp] = await Promise.all([
      openBrowser(),
      startSite(),
      startFakeUpstream({ delayMs: 5 }),
      openTestSmtp({ disabledCommands: ['STARTTLS', 'AUTH'] }),
    ])
    root = await signIn(site.url)
    const { SMTPPort, SMTPFrom } = smtp.settings()
    const options = { SMTPServer: '127.0.0.1', SMTPPort: String(SMTPPort), SMTPFrom, ServerAddress: site.url }
    for (const [key, value] of Object.entries(options)) await set(key, value)
    await set('EmailVerificationEnabled', 'true')
    await set('QuotaForNewUser', '500000')
    await addChannel(root, upstream.url)
    ;({ page, complaints } = await openTab(browser, look))
  })
  afterAll(async () => {
    await browser?.close()
    await site?.remove()
    await upstream?.close()
    await smtp?.close()
  })

  it('registers with a code that comes by mail, and is signed in', async () => {
    await page.goto(`${site.url}/register`)
    await page.fill('#username', 'alice')
    await page.fill('#password', password)
    await page.fill('#password2', password)
    await page.fill('#email', 'Alice@Example.com')
    await page.getByRole('button', { name: say.sendCode }).click()
    await page.getByText(say.codeSent).waitFor()
    const code = /<strong>([0-9a-f]{6})<\/strong>/.exec(smtp.mails.at(-1)?.body ?? '')?.[1] ?? ''
    await page.fill('#verification_code', code)
    await page.getByRole('button', { name: say.register, exact: true }).click()
    await page.waitForURL((url) => url.pathname !== '/register')
    await page.getByText(say.registered).waitFor()
  })

  it('logs in with the address', async () => {
    await page.context().clearCookies()
    await page.evaluate(() => localStorage.removeItem('user'))
    await page.goto(`${site.url}/login`)
    await logIn(page, 'alice@example.com', password)
    await page.waitForURL((url) => url.pathname !== '/login')
  })

  it('makes a first API key, which works', async () => {
    await page.goto(`${site.url}/token`)
    await settle(page)
    await page.getByRole('button', { name: say.addToken }).first().click()
    const sheet = page.getByRole('dialog')
    await field(sheet, say.name).fill('first key')
    await sheet.getByRole('button', { name: say.submit, exact: true }).click()
    const apiKey = (await sheet.locator('code, .mono').filter({ hasText: /^sk-/ }).first().innerText()).trim()
    await shot('key')
    await sheet.getByRole('button', { name: say.done, exact: true }).click()
    await page.locator('[data-row]', { hasText: 'first key' }).waitFor()
    const models = await fetch(`${site.url}/v1/models`, { headers: { authorization: `Bearer ${apiKey}` } })
    expect(await models.text()).toContain('gpt-4o-mini')
  })

  it('asks a model in the playground, and pays for it', async () => {
    await page.goto(`${site.url}/playground`)
    await settle(page)
    await page.getByRole('textbox', { name: say.write }).fill('Which gate is open?')
    await page.keyboard.press('Enter')
    await page.getByRole('log').getByText('place on the bill.').waitFor()
    await shot('playground')
    const alice = await signIn(site.url, 'alice', password)
    await expect
      .poll(async () => (await alice.must<{ quota: number }>('GET', '/api/user/self')).quota)
      .toBeLessThan(500_000)
  })

  it('gets a new password after losing the old one, and is signed out elsewhere', async () => {
    const other = await openTab(browser, look)
    await other.page.goto(`${site.url}/reset`)
    await other.page.fill('#email', 'alice@example.com')
    const sent = smtp.mails.length
    await other.page.getByRole('button', { name: say.reset }).click()
    await other.page.getByText(say.mailSent).waitFor()
    const mail = (await smtp.arrived(sent + 1)).at(-1)
    await other.page.goto(/^http:\S+user\/reset\S+$/m.exec(mail?.body ?? '')?.[0] ?? '')
    await other.page.getByRole('button', { name: say.generate }).click()
    made = await other.page.locator('#made').inputValue()
    expect(made).toMatch(/^[A-Za-z0-9]{16}$/)
    expect(other.complaints).toEqual([])
    await other.page.context().close()
    expect(complaints).toEqual([])
    await page.reload()
    await page.waitForURL((url) => url.pathname === '/login')
    expect(ownComplaints()).toEqual([])
  })

  it('deletes the account by typing its name, and cannot come back', async () => {
    await logIn(page, 'alice', made)
    await page.goto(`${site.url}/personal/danger`)
    await settle(page)
    await page.getByRole('button', { name: say.delete, exact: true }).click()
    const dialog = page.getByRole('dialog')
    const really = dialog.getByRole('button', { name: say.delete, exact: true })
    expect(await really.isDisabled()).toBe(true)
    await dialog.getByLabel(say.type).fill('alice')
    await shot('delete')
    await really.click()
    await page.getByText(say.deleted).waitFor()
    expect(new URL(page.url()).pathname).toBe('/login')
    await expect(signIn(site.url, 'alice', made)).rejects.toThrow()
    await page.context().close()
  })

  it('finds pages that fit a phone and are accessible', async () => {
    const small = await openTab(browser, { ...look, size: phone })
    for (const path of ['/register', '/reset', '/user/reset?email=a@example.com&token=x', '/login?expired=true']) {
      await small.page.goto(site.url + path)
      await small.page.locator('form').waitFor()
      expect([path, await findings(small.page), await sidewaysOverflow(small.page)]).toEqual([path, [], 0])
    }
    expect(small.complaints).toEqual([])
    expect(ownComplaints()).toEqual([])
  })

  it('reads that registration is closed', async () => {
    await set('RegisterEnabled', 'false')
    const closed = await openTab(browser, look)
    await closed.page.goto(`${site.url}/register`)
    await closed.page.getByText(say.closed).waitFor()
    await expect.poll(() => closed.page.locator('form').count()).toBe(0)
  })
})
