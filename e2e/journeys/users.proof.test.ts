import OpenAI from 'openai'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { browserIsHere, findings, judgedIn, openBrowser, picture, sidewaysOverflow, wide } from '../support/browser.ts'
import { type FakeUpstream, startFakeUpstream } from '../support/fake-upstream.ts'
import { addChannel, addKey, type Person, signIn } from '../support/operator.ts'
import { type Site, startSite } from '../support/site.ts'
import { field, notified, openPage, openRow, openSignedInTab, rowMenu, settle, twoLooks } from './console.ts'

const password = 'battery-staple'
const dollar = 500_000

interface Row {
  id: number
  username: string
}

const idOf = async (person: Person, username: string): Promise<number> => {
  const { items } = await person.must<{ items: Row[] }>('GET', `/api/user/search?keyword=${username}`)
  return items.find((user) => user.username === username)?.id ?? 0
}

const makeAdmin = async (root: Person, username: string): Promise<void> => {
  await root.must('POST', '/api/user/', { username, password, display_name: username })
  await root.must('POST', '/api/user/manage', { id: await idOf(root, username), action: 'promote' })
}

const ask = (url: string, apiKey: string) =>
  new OpenAI({ apiKey, baseURL: `${url}/v1`, maxRetries: 0 }).chat.completions.create({
    model: 'gpt-4o',
    messages: [{ role: 'user', content: 'Say hello.' }],
  })

describe.skipIf(!browserIsHere)('an admin and a user', () => {
  const look = { theme: 'light', language: 'en', size: wide } as const
  let browser: Browser
  let site: Site
  let upstream: FakeUpstream
  let page: Page
  let complaints: string[]
  let alice: Person
  let aliceKey = ''
  let aliceId = 0

  beforeAll(async () => {
    ;[browser, site, upstream] = await Promise.all([openBrowser(), startSite(), startFakeUpstream({ delayMs: 5 })])
    const root = await signIn(site.url)
    await addChannel(root, upstream.url)
    await makeAdmin(root, 'warden')
    const visitor = await openSignedInTab(browser, site.url, look, { username: 'warden', password })
    page = visitor.page
    complaints = visitor.complaints
  })
  afterAll(async () => {
    await browser?.close()
    await site?.remove()
    await upstream?.close()
  })

  const go = (path: string) => openPage(page, site.url + path)
  const toast = (text: string | RegExp) => notified(page, text)
  const sheet = () => page.getByRole('dialog')
  const tab = (name: string) => page.getByRole('navigation', { name: 'User sections' }).getByText(name)

  it('adds a user', async () => {
    await go('/user')
    await page.getByRole('button', { name: 'Add user' }).first().click()
    await page.waitForURL(/\/user\/add$/)
    await sheet().getByText('Set password').click()
    await sheet().getByRole('button', { name: 'Add user' }).click()
    await sheet().getByText('Enter a username or an email address').waitFor()
    await sheet().getByText('Enter a password').waitFor()
    await field(sheet(), 'Username or email').fill('alice')
    await field(sheet(), 'Password').fill(password)
    await sheet().getByRole('button', { name: 'Add user' }).click()
    await toast('User account created')
    alice = await signIn(site.url, 'alice', password)
    aliceId = alice.id
  })

  it('cannot promote, and reads the reason; the server refuses too', async () => {
    const row = await openRow(page, 'alice')
    await row.locator('button[aria-haspopup=menu]').last().click()
    const promote = page.getByRole('menuitem', { name: 'Promote' })
    expect(await promote.isDisabled()).toBe(true)
    expect(await promote.getAttribute('title')).toBe('Only the super admin can promote to admin')
    await page.keyboard.press('Escape')
    const warden = await signIn(site.url, 'warden', password)
    const refused = await warden.ask('POST', '/api/user/manage', { id: aliceId, action: 'promote' })
    expect(refused).toMatchObject({ success: false, code: 'promote_denied' })
    await (await openRow(page, 'root')).locator('button[aria-haspopup=menu]').last().click()
    expect(await page.getByRole('menuitem', { name: 'Edit' }).isDisabled()).toBe(true)
    await page.keyboard.press('Escape')
  })

  it('opens the page about the user and adjusts the quota, for which a reason is wanted', async () => {
    await page.locator('[data-row]', { hasText: 'alice' }).getByText('alice').first().click()
    // The preview beside the list leads to the page.
    await page.getByRole('dialog').getByRole('link', { name: 'Open user' }).click()
    await page.waitForURL(new RegExp(`/user/${aliceId}$`))
    await page.getByRole('button', { name: 'Adjust balance' }).click()
    await sheet().getByRole('button', { name: '$10.00', exact: true }).click()
    await sheet().getByRole('button', { name: 'Save' }).click()
    await sheet().getByText('Enter a reason').waitFor()
    await field(sheet(), 'Reason').fill('paid by invoice')
    await sheet().getByRole('button', { name: 'Save' }).click()
    await toast('User updated')
    await sheet().waitFor({ state: 'detached' })
    await page.locator('dd', { hasText: '$10.00' }).first().waitFor()
  })

  it('sees the adjustment in the ledger, and after a call its charge', async () => {
    await tab('Ledger').click()
    const adjusted = await openRow(page, 'Adjusted by admin')
    const text = await adjusted.innerText()
    for (const part of ['+$10.00', 'paid by invoice', 'warden', 'adjust:']) expect(text).toContain(part)

    aliceKey = await addKey(alice)
    await ask(site.url, aliceKey)
    await expect
      .poll(async () => {
        await page.reload()
        await settle(page)
        return page.locator('[data-row="0"]').innerText()
      })
      .toContain('Charge')
    const charge = await page.locator('[data-row="0"]').innerText()
    // 20 × $2.50 + 50 × $10.00 per million, of $10.00
    expect(charge).toContain('−$0.000550')
    const own = await alice.must<{ items: { balance: number; actor_name: string }[] }>('GET', '/api/user/self/ledger')
    expect(own.items[0]?.balance).toBe(10 * dollar - 275)
    expect(own.items.map(({ actor_name }) => actor_name)).toEqual(own.items.map(() => ''))
    await page.locator('[data-row="0"] button[aria-haspopup=menu]').click()
    await page.getByRole('menuitem', { name: 'View the request’s log' }).click()
    await sheet().getByRole('table', { name: 'Receipt' }).waitFor()
  })

  it('sees keys, use, sessions and the trail of the user', async () => {
    await go(`/user/${aliceId}?tab=tokens`)
    await openRow(page, 'first')
    expect(await page.locator('#content').innerText()).not.toContain(aliceKey)
    await tab('Usage').click()
    await settle(page)
    await tab('Sessions').click()
    await openRow(page, '127.0.0.1')
    await tab('Audit log').click()
    await openRow(page, 'paid by invoice')
  })

  it('edits name and group; the history stays with the user', async () => {
    await go(`/user/${aliceId}?tab=ledger`)
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await field(sheet(), 'Username').fill('alicia')
    await sheet().getByRole('button', { name: 'Save' }).click()
    await sheet().waitFor({ state: 'detached' })
    await page.getByText('alicia').first().waitFor()
    await openRow(page, 'paid by invoice')
    await page.getByRole('button', { name: 'Actions for alicia' }).click()
    await page.getByRole('menuitem', { name: 'View usage log' }).click()
    await openRow(page, 'gpt-4o')
    await go(`/user/${aliceId}`)
  })

  it('disables the user: session and key end with the next request', async () => {
    expect((await alice.ask('GET', '/api/user/self')).success).toBe(true)
    await page.getByRole('button', { name: 'Actions for alicia' }).click()
    await page.getByRole('menuitem', { name: 'Disable' }).click()
    await sheet().getByRole('button', { name: 'Disable user' }).click()
    await page.getByText('Banned').waitFor()
    expect((await alice.ask('GET', '/api/user/self')).success).toBe(false)
    await expect(ask(site.url, aliceKey)).rejects.toMatchObject({ status: 403 })
    await page.getByRole('button', { name: 'Actions for alicia' }).click()
    await page.getByRole('menuitem', { name: 'Enable' }).click()
    await page.getByText('Active', { exact: true }).waitFor()
    await ask(site.url, aliceKey)
  })

  it('ends the sessions of the user', async () => {
    const again = await signIn(site.url, 'alicia', password)
    await go(`/user/${aliceId}?tab=sessions`)
    await openRow(page, '127.0.0.1')
    await page.getByRole('button', { name: 'Sign out everywhere' }).click()
    await sheet().getByRole('button', { name: 'Sign out everywhere' }).click()
    await toast('Signed out everywhere')
    await page.getByText('Not signed in anywhere').waitFor()
    expect((await again.ask('GET', '/api/user/self')).success).toBe(false)
  })

  it('cancels the account, after which nothing is offered any more', async () => {
    await go('/user')
    await rowMenu(page, 'alicia', 'Delete account')
    const confirm = sheet().getByRole('button', { name: 'Delete account' })
    expect(await confirm.isDisabled()).toBe(true)
    await sheet().getByRole('textbox').fill('alicia')
    await confirm.click()
    const row = page.locator('[data-row]', { hasText: 'alicia' })
    await row.getByText('Deleted').waitFor()
    await expect.poll(() => row.locator('button[aria-haspopup=menu]').count()).toBe(0)
    await expect(ask(site.url, aliceKey)).rejects.toThrow()
    await go(`/user/${aliceId}?tab=ledger`)
    await openRow(page, 'paid by invoice')
    await expect.poll(() => page.getByRole('button', { name: 'Edit', exact: true }).count()).toBe(0)
    expect(complaints).toEqual([])
  })
})

describe.skipIf(!browserIsHere)('users who are added', () => {
  const look = { theme: 'light', language: 'en', size: wide } as const
  let browser: Browser
  let site: Site
  let upstream: FakeUpstream

  beforeAll(async () => {
    ;[browser, site, upstream] = await Promise.all([openBrowser(), startSite(), startFakeUpstream({ delayMs: 5 })])
    const root = await signIn(site.url)
    await addChannel(root, upstream.url)
  })
  afterAll(async () => {
    await browser?.close()
    await site?.remove()
    await upstream?.close()
  })

  it('can call at once with the key that is shown once', async () => {
    const { page, complaints } = await openSignedInTab(browser, site.url, look)
    await openPage(page, `${site.url}/user/add`)
    const sheet = page.getByRole('dialog')
    await field(sheet, 'Username or email').fill('dora@example.com')
    await sheet.getByRole('button', { name: '$10.00', exact: true }).first().click()
    await sheet.getByRole('switch', { name: /Limit monthly spend/ }).check()
    await field(sheet, 'Monthly budget').fill('2')
    await sheet.getByText('Create API key').click()
    await sheet.getByRole('button', { name: 'Add user' }).click()
    await page.getByRole('dialog', { name: 'API key for dora' }).waitFor()
    const key = /sk-\w{48}/.exec(await sheet.innerText())?.[0] ?? ''
    const answer = await ask(site.url, key)
    expect(answer.choices[0]?.message.content).toBeTruthy()
    await sheet.getByRole('button', { name: 'Done' }).click()
    await openRow(page, 'dora')
    await openPage(page, `${site.url}/limit`)
    await page.getByText('dora').first().waitFor()
    expect(complaints).toEqual([])
    await page.context().close()
  })

  it('set their password with the link of the invitation', async () => {
    const { page, complaints } = await openSignedInTab(browser, site.url, look)
    await openPage(page, `${site.url}/user/add`)
    await field(page.getByRole('dialog'), 'Username or email').fill('erin')
    await page.getByRole('dialog').getByRole('button', { name: 'Add user' }).click()
    const sheet = page.getByRole('dialog', { name: 'Invitation link for erin' })
    await sheet.waitFor()
    const link = /https?:\S+\/invited\?\S+#\w{43}/.exec(await sheet.innerText())?.[0] ?? ''
    await page.context().close()
    const visitor = await browser.newPage()
    await visitor.goto(link)
    await visitor
      .getByLabel('Password', { exact: true })
      .or(visitor.getByLabel('密码', { exact: true }))
      .fill(password)
    await visitor.locator('button[type=submit]').click()
    await visitor.locator('a[href="/login"]').last().waitFor()
    expect((await signIn(site.url, 'erin', password)).id).toBeGreaterThan(0)
    await visitor.close()
    expect(complaints).toEqual([])
  })
})

const stops = ['ledger', 'tokens', 'usage', 'invites', 'sessions', 'audit', 'adjust'] as const

describe.skipIf(!browserIsHere)('the page about one user', () => {
  let browser: Browser
  let site: Site
  let upstream: FakeUpstream
  let id = 0

  beforeAll(async () => {
    ;[browser, site, upstream] = await Promise.all([openBrowser(), startSite(), startFakeUpstream({ delayMs: 5 })])
    const root = await signIn(site.url)
    await addChannel(root, upstream.url, { group: 'default,vip' })
    await root.must('PUT', '/api/option/', { key: 'DataExportEnabled', value: 'true' })
    await root.must('POST', '/api/user/', { username: 'carol', password, display_name: 'Carol Okafor' })
    const carol = await signIn(site.url, 'carol', password)
    id = carol.id
    await root.must('PUT', '/api/user/', { id, quota_delta: 60 * dollar, reason: 'invoice 2026-114', group: 'vip' })
    const key = await addKey(carol, { name: 'support-desk' })
    for (let count = 0; count < 12; count += 1) await ask(site.url, key)
  })
  afterAll(async () => {
    await browser?.close()
    await site?.remove()
    await upstream?.close()
  })

  it.each(twoLooks)('is whole, readable and quiet: $name', async (look) => {
    const { page, complaints } = await openSignedInTab(browser, site.url, look)
    const faults: string[] = []
    for (const stop of stops) {
      await page.goto(`${site.url}/user/${id}?${stop === 'adjust' ? 'adjust=1' : `tab=${stop}`}`)
      await page.locator(stop === 'adjust' ? '[role=dialog] form' : '#content h1').waitFor()
      await settle(page)
      await picture(page, `user-page-${stop}.${look.name}`)
      const overflow = await sidewaysOverflow(page)
      if (overflow > 0) faults.push(`${stop}: scrolls sideways by ${overflow} px`)
      faults.push(...(await findings(page, judgedIn(look))).map((finding) => `${stop}: ${finding}`))
      const chinese = look.language === 'en' && /[\u4e00-\u9fff]/.test(await page.locator('#content').innerText())
      if (chinese) faults.push(`${stop}: Chinese in English`)
    }
    await page.context().close()
    expect(faults).toEqual([])
    expect(complaints).toEqual([])
  })
})
