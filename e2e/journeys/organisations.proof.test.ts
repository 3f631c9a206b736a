import OpenAI, { APIError } from 'openai'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestSmtp } from '../../server/test/support/mail/smtp.ts'
import {
  type BrowserTab,
  browserIsHere,
  findings,
  openBrowser,
  openTab,
  picture,
  sidewaysOverflow,
} from '../support/browser.ts'
import { type FakeUpstream, startFakeUpstream } from '../support/fake-upstream.ts'
import { addChannel, type Person, signIn } from '../support/operator.ts'
import { type Site, startSite } from '../support/site.ts'
import { field, notified, openPage, openRow, openSignedInTab, rowMenu, settle, twoLooks } from './console.ts'

const password = 'battery-staple'

const chinese = {
  found: '创建组织',
  name: '名称',
  addTeam: '添加团队',
  addProject: '添加项目',
  save: '保存',
  transfer: '转账',
  amount: '金额',
  transferred: '已转账',
  invite: '邀请',
  email: '邮箱',
  makeInvitation: '创建邀请',
  invited: '邀请已发送到',
  done: '完成',
  register: '注册',
  sendCode: '获取验证码',
  codeSent: '验证码发送成功',
  join: '加入',
  used: '邀请链接已被使用',
  addKey: '添加令牌',
  keyName: '令牌名称',
  setCap: '设置上限',
  capSaved: '上限已保存',
  mail: '邀请您',
  wrong: '此邀请发给了另一个邮箱',
  ownKeys: '组织付费的令牌',
  payer: '付款方',
  tags: '成本标签',
  closing: '期末余额',
  fences: '渠道',
}

const english: typeof chinese = {
  found: 'Create organisation',
  name: 'Name',
  addTeam: 'Add team',
  addProject: 'Add project',
  save: 'Save',
  transfer: 'Transfer',
  amount: 'Amount',
  transferred: 'transferred',
  invite: 'Invite',
  email: 'Email address',
  makeInvitation: 'Create invitation',
  invited: 'Invitation sent to',
  done: 'Done',
  register: 'Register',
  sendCode: 'Send code',
  codeSent: 'Code sent',
  join: 'Join',
  used: 'The invitation has been used',
  addKey: 'Create API key',
  keyName: 'Key name',
  setCap: 'Set cap',
  capSaved: 'Cap saved',
  mail: 'invited you to',
  wrong: 'This invitation was sent to a different email address',
  ownKeys: 'Keys paid by organisations',
  payer: 'Payer',
  tags: 'Cost tags',
  closing: 'Closing balance',
  fences: 'Channels',
}

const cases = twoLooks.map((look) => ({ look, say: look.language === 'zh' ? chinese : english }))

/** An organisation from nothing to its spend, through the screens; each step needs the ones before it. */
describe.skipIf(!browserIsHere).each(cases)('a team from an empty site: $look.name', ({ look, say }) => {
  const shot = (page: Page, name: string): Promise<void> => picture(page, `organisation-${name}-${look.language}`)
  let browser: Browser
  let site: Site
  let upstream: FakeUpstream
  let smtp: Awaited<ReturnType<typeof openTestSmtp>>
  let root: Person
  let alice: BrowserTab
  let bob: BrowserTab
  let address = ''
  let link = ''
  let key = ''

  const set = (name: string, value: string): Promise<unknown> => root.must('PUT', '/api/option/', { key: name, value })
  const press = (page: Page, name: string): Promise<void> =>
    page.getByRole('button', { name, exact: true }).last().click()
  const sheet = (page: Page) => page.getByRole('dialog')
  const ask = () =>
    new OpenAI({ apiKey: key, baseURL: `${site.url}/v1`, maxRetries: 0 }).chat.completions.create({
      model: 'gpt-4o',
      messages: [{ role: 'user', content: 'Which gate is open?' }],
    })

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
    for (const [name, value] of Object.entries(options)) await set(name, value)
    await set('EmailVerificationEnabled', 'true')
    await set('OrganisationsEnabled', 'true')
    await addChannel(root, upstream.url)
    await root.must('POST', '/api/user/', { username: 'alice', password, display_name: 'Alice' })
    const { id } = await signIn(site.url, 'alice', password)
    await root.must('PUT', '/api/user/', { id, group: 'default', quota_delta: 5_000_000, reason: 'invoice' })
    alice = await openSignedInTab(browser, site.url, look, { username: 'alice', password })
  })
  afterAll(async () => {
    await browser?.close()
    await site?.remove()
    await upstream?.close()
    await smtp?.close()
  })

  it('is founded from the quiet entry of who works alone, with a team, a project and money', async () => {
    const { page } = alice
    await openPage(page, `${site.url}/token`)
    expect(await page.locator('aside a[href="/organisation"]').count()).toBe(0)
    await page.locator('header button[aria-haspopup=menu]').last().click()
    await page.locator('[role=menu] a[href="/organisation"], [role=menuitem][href="/organisation"]').click()
    await page.waitForURL('**/organisation')
    await settle(page)
    await press(page, say.found)
    await field(sheet(page), say.name).fill('Northwind')
    await sheet(page).getByRole('button', { name: say.found, exact: true }).click()
    await page.waitForURL(/organisation\/\d+$/)
    address = page.url()
    expect(await page.locator('aside a[href="/organisation"]').count()).toBe(1)
    await openPage(page, `${address}?tab=projects`)
    for (const [button, name] of [
      [say.addTeam, 'Platform'],
      [say.addProject, 'billing-api'],
    ] as const) {
      await press(page, button)
      await field(sheet(page), say.name).fill(name)
      await sheet(page).getByRole('button', { name: say.save, exact: true }).click()
      await sheet(page).waitFor({ state: 'detached' })
      await page.getByText(name, { exact: true }).first().waitFor()
    }
    await press(page, say.transfer)
    await field(sheet(page), say.amount).fill('4')
    await sheet(page).getByRole('button', { name: say.transfer, exact: true }).click()
    await notified(page, say.transferred)
    await openPage(page, address)
    await page.getByText('$4.00').first().waitFor()
    expect([await findings(page), await sidewaysOverflow(page)]).toEqual([[], 0])
    await shot(page, 'overview')
  })

  it('invites by mail; the link leads a newcomer through registration into the organisation', async () => {
    const { page } = alice
    await press(page, say.invite)
    await field(sheet(page), say.email).fill('bob@example.com')
    await sheet(page).getByRole('button', { name: say.makeInvitation, exact: true }).click()
    await sheet(page).getByText(say.invited).waitFor()
    await shot(page, 'invited')
    const mail = (await smtp.arrived(1)).at(-1)
    expect(mail?.subject).toContain(say.mail)
    link = /http:\S+\/join#[A-Za-z0-9]{43}/.exec(mail?.body ?? '')?.[0] ?? ''
    bob = await openTab(browser, look)
    await bob.page.goto(link)
    await bob.page.getByText('Northwind').first().waitFor()
    expect(new URL(bob.page.url()).hash).toBe('')
    expect([await findings(bob.page), await sidewaysOverflow(bob.page)]).toEqual([[], 0])
    await shot(bob.page, 'join')
    await bob.page.getByRole('link', { name: say.register, exact: true }).click()
    for (const [name, value] of Object.entries({
      username: 'bob',
      password,
      password2: password,
      email: 'bob@example.com',
    }))
      await bob.page.fill(`#${name}`, value)
    await bob.page.getByRole('button', { name: say.sendCode }).click()
    await bob.page.getByText(say.codeSent).waitFor()
    const code = /<strong>([0-9a-f]{6})<\/strong>/.exec((await smtp.arrived(2)).at(-1)?.body ?? '')?.[1] ?? ''
    await bob.page.fill('#verification_code', code)
    await bob.page.getByRole('button', { name: say.register, exact: true }).click()
    await bob.page.waitForURL('**/join')
    await press(bob.page, say.join)
    await bob.page.waitForURL(address)
    await settle(bob.page)
  })

  it('says plainly that a link was used, and whom it was for', async () => {
    const { page } = alice
    await page.goto(`${site.url}/about`)
    await page.goto(link)
    await page.getByText(say.used).waitFor()
    const id = address.split('/').at(-1)
    const person = await signIn(site.url, 'alice', password)
    const body = { team_id: 0, role: 'viewer', email: 'carol@example.com' }
    const { secret } = await person.must<{ secret: string }>('POST', `/api/organisation/${id}/invitations`, body)
    await page.goto(`${site.url}/about`)
    await page.goto(`${site.url}/join#${secret}`)
    await press(page, say.join)
    await page.getByText(say.wrong).waitFor()
  })

  it('pays for a key of the project in the official client, until a cap, which is raised', async () => {
    await openPage(bob.page, `${address}?tab=keys`)
    await press(bob.page, say.addKey)
    await field(sheet(bob.page), say.keyName).fill('ci')
    await sheet(bob.page).getByRole('button', { name: say.addKey, exact: true }).click()
    key = (await sheet(bob.page).locator('code, .mono').filter({ hasText: /^sk-/ }).first().innerText()).trim()
    await shot(bob.page, 'key')
    await press(bob.page, say.done)
    expect((await ask()).choices[0]?.message.content).toContain('gate')

    const cap = async (amount: string): Promise<void> => {
      await openPage(alice.page, `${address}?tab=members`)
      await rowMenu(alice.page, 'bob', say.setCap)
      await field(sheet(alice.page), say.amount).fill(amount)
      await sheet(alice.page).getByRole('button', { name: say.save, exact: true }).click()
      await notified(alice.page, say.capSaved)
    }
    await cap('0.000002')
    const refused = await ask().catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(APIError)
    expect(refused).toMatchObject({ code: 'spend_cap_reached' })
    await cap('2')
    expect((await ask()).choices[0]?.message.content).toContain('gate')
  })

  it('shows what was spent, by whom and with which key', async () => {
    const person = await signIn(site.url, 'alice', password)
    // Two were answered, one was refused.
    const logs = `/api/organisation/${address.split('/').at(-1)}/log`
    await expect.poll(async () => (await person.must<{ total: number }>('GET', logs)).total).toBe(3)
    await openPage(alice.page, `${address}?tab=calls`)
    await openRow(alice.page, 'gpt-4o')
    expect(await alice.page.locator('[data-row]', { hasText: 'gpt-4o' }).count()).toBe(3)
    await shot(alice.page, 'calls')
    await openPage(alice.page, `${address}?tab=members`)
    expect([await findings(alice.page), await sidewaysOverflow(alice.page)]).toEqual([[], 0])
    await shot(alice.page, 'members')
    await openPage(alice.page, address)
    await shot(alice.page, 'spent')
    expect(alice.complaints.filter((one) => !/40[13]|410/.test(one))).toEqual([])
  })

  it('explores its figures within the organisation, and leads from a row to the calls behind it', async () => {
    const { page } = alice
    await openPage(page, `${address}?tab=explore`)
    const row = page.locator('main table tbody tr', { hasText: 'billing-api' })
    await row.waitFor()
    expect([await findings(page), await sidewaysOverflow(page)]).toEqual([[], 0])
    await shot(page, 'explore')
    await row.getByRole('link').click()
    await page.waitForURL(/tab=calls/)
    await openRow(page, 'gpt-4o')
    expect(new URL(page.url()).searchParams.get('project_id')).toMatch(/^\d+$/)
    expect(await page.locator('[data-row]', { hasText: 'gpt-4o' }).count()).toBe(3)
    await openPage(page, `${address}?tab=tasks`)
    expect([await findings(page), await sidewaysOverflow(page)]).toEqual([[], 0])
  })

  it('is a payer in the form of own keys, and states its month by project, member and tag', async () => {
    const { page } = bob
    await openPage(page, `${site.url}/token?add=1`)
    await sheet(page).locator('input[required]').first().fill('laptop')
    await sheet(page).getByLabel(say.payer).first().click()
    await page.getByRole('option', { name: 'Northwind · billing-api' }).click()
    await field(sheet(page), say.tags).fill('cost_centre: 7')
    await shot(page, 'payer')
    await sheet(page).locator('button[type=submit]').click()
    const made = sheet(page).locator('code, .mono').filter({ hasText: /^sk-/ }).first()
    key = (await made.innerText()).trim()
    expect((await ask()).choices[0]?.message.content).toContain('gate')
    await openPage(page, `${site.url}/token`)
    const own = page.getByRole('region', { name: say.ownKeys })
    await own.getByText('Northwind · billing-api').first().waitFor()
    expect([await findings(page), await sidewaysOverflow(page)]).toEqual([[], 0])
    await own.scrollIntoViewIfNeeded()
    await shot(page, 'own-keys')

    const person = await signIn(site.url, 'alice', password)
    type Stated = { tags: { tag: string; count: number }[]; charges: { count: number } }
    const stated = () => person.must<Stated>('GET', `/api/organisation/${address.split('/').at(-1)}/statement`)
    await expect.poll(async () => (await stated()).charges.count).toBe(3)
    expect((await stated()).tags).toMatchObject([{ tag: 'cost_centre=7', count: 1 }])
    await openPage(alice.page, `${address}?tab=statement`)
    await alice.page.getByText(say.closing).first().waitFor()
    await alice.page.getByText('cost_centre=7').first().waitFor()
    expect([await findings(alice.page), await sidewaysOverflow(alice.page)]).toEqual([[], 0])
    await shot(alice.page, 'statement')
    await openPage(alice.page, `${address}?tab=settings`)
    expect([await findings(alice.page), await sidewaysOverflow(alice.page)]).toEqual([[], 0])
    await shot(alice.page, 'settings')
  })

  it('does not see the channels that the site fences', async () => {
    const operator = await openSignedInTab(browser, site.url, look)
    await openPage(operator.page, `${address}?site=1&tab=fences`)
    await operator.page.getByRole('region', { name: say.fences }).getByText('Northwind').first().waitFor()
    expect([await findings(operator.page), await sidewaysOverflow(operator.page)]).toEqual([[], 0])
    await shot(operator.page, 'fences')
    await openPage(alice.page, address)
    expect(await alice.page.locator('a[href*="tab=fences"]').count()).toBe(0)
  })
})
