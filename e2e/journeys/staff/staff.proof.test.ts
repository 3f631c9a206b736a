import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  browserIsHere,
  findings,
  type Look,
  openBrowser,
  phone,
  picture,
  sidewaysOverflow,
  wide,
} from '../../support/browser.ts'
import { type FakeUpstream, startFakeUpstream } from '../../support/fake-upstream.ts'
import { addChannel, type Person, signIn } from '../../support/operator.ts'
import { type Site, startSite } from '../../support/site.ts'
import { field, notified, openPage, openRow, openSignedInTab, settle } from '../console.ts'

const password = 'battery-staple'
const denied = 'You don’t have permission to change this'

const idOf = async (root: Person, username: string): Promise<number> => {
  const found = await root.must<{ items: { id: number; username: string }[] }>(
    'GET',
    `/api/user/search?keyword=${username}`,
  )
  return found.items.find((user) => user.username === username)?.id ?? 0
}

const makeStaff = async (root: Person, username: string, set: string): Promise<void> => {
  await root.must('POST', '/api/user/', { username, password, display_name: username })
  const id = await idOf(root, username)
  await root.must('POST', '/api/user/manage', { id, action: 'promote' })
  await root.must('PUT', `/api/user/${id}/permissions`, { permissions: { set } })
}

const looks: readonly (Look & { name: string })[] = [
  { name: 'wide', theme: 'light', language: 'en', size: wide },
  { name: 'phone', theme: 'dark', language: 'en', size: phone },
]

/** Staff with ready sets of permissions, who find what they may not change disabled, with the reason. */
describe.skipIf(!browserIsHere).each(looks)('staff on a $name window', (look) => {
  let browser: Browser
  let site: Site
  let upstream: FakeUpstream
  let root: Person

  beforeAll(async () => {
    ;[browser, site, upstream] = await Promise.all([openBrowser(), startSite(), startFakeUpstream({ delayMs: 5 })])
    root = await signIn(site.url)
    await addChannel(root, upstream.url)
    await makeStaff(root, 'auditor', 'auditor')
    await makeStaff(root, 'support', 'support')
    await root.must('POST', '/api/user/', { username: 'alice', password, display_name: 'alice' })
  })
  afterAll(async () => {
    await browser?.close()
    await site?.remove()
    await upstream?.close()
  })

  const judged = async (page: Page, name: string): Promise<void> => {
    await settle(page)
    expect(await findings(page)).toEqual([])
    expect(await sidewaysOverflow(page)).toBe(0)
    await picture(page, `staff-${name}-${look.name}`)
  }

  it('an auditor sees channels, and can press nothing that changes them', async () => {
    const { page, complaints } = await openSignedInTab(browser, site.url, look, { username: 'auditor', password })
    await openPage(page, `${site.url}/channel/1`)
    await page.getByRole('note').filter({ hasText: denied }).waitFor()
    for (const name of ['Disable', 'Test'])
      expect(await page.getByRole('button', { name, exact: true }).first().isDisabled()).toBe(true)
    await judged(page, 'auditor-channel')
    expect(await page.getByRole('button', { name: 'Edit', exact: true }).isDisabled()).toBe(true)
    await openPage(page, `${site.url}/channel/edit/1`)
    const form = page.getByRole('dialog')
    await form.getByRole('note').filter({ hasText: denied }).waitFor()
    expect(await form.locator('input:not(:disabled), button[type=submit]').count()).toBe(0)
    await judged(page, 'auditor-channel-form')
    await openPage(page, `${site.url}/channel`)
    expect(await page.getByRole('button', { name: /Add channel/ }).isDisabled()).toBe(true)
    await judged(page, 'auditor-channels')
    await openPage(page, `${site.url}/user`)
    await page.getByText('Auditor').first().waitFor()
    await (await openRow(page, 'alice')).locator('button').first().click()
    await page.getByRole('dialog').getByRole('link').first().waitFor()
    expect(await page.getByRole('dialog').getByRole('button', { name: 'Edit', exact: true }).count()).toBe(0)
    await judged(page, 'auditor-users')
    expect(complaints).toEqual([])
    await page.context().close()
  })

  it('support changes users, not channels, and makes a token that may no more', async () => {
    const { page, complaints } = await openSignedInTab(browser, site.url, look, { username: 'support', password })
    const alice = await idOf(root, 'alice')
    await openPage(page, `${site.url}/user/${alice}`)
    expect(await page.getByRole('button', { name: 'Edit', exact: true }).isEnabled()).toBe(true)
    expect(await page.getByRole('button', { name: 'Adjust balance' }).isDisabled()).toBe(true)
    await openPage(page, `${site.url}/personal/access-tokens`)
    await page.getByRole('button', { name: 'New access token' }).click()
    const form = page.getByRole('dialog')
    await field(form, 'Name').fill('nightly export')
    expect(await form.getByLabel('Settings', { exact: true }).count()).toBe(0)
    await form.getByLabel('Users', { exact: true }).selectOption('read')
    await judged(page, 'token-form')
    await form.getByRole('button', { name: 'Make token' }).click()
    const token = await page
      .locator('code, .mono')
      .filter({ hasText: /^tgat_\w{43}$/ })
      .first()
      .innerText()
    await judged(page, 'token-made')
    const support = await idOf(root, 'support')
    const headers = { authorization: `Bearer ${token.trim()}`, 'new-api-user': String(support) }
    const codeOf = async (path: string, method = 'GET'): Promise<string | undefined> =>
      ((await (await fetch(site.url + path, { method, headers })).json()) as { code?: string }).code
    expect(await codeOf(`/api/user/${alice}`)).toBeUndefined()
    expect(await codeOf(`/api/user/${alice}`, 'DELETE')).toBe('token_scope_denied')
    expect(await codeOf('/api/channel/')).toBe('token_scope_denied')
    await page.getByRole('button', { name: 'Revoke nightly export' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke', exact: true }).click()
    await notified(page, 'Access token revoked')
    expect(await codeOf(`/api/user/${alice}`)).toBe('access_token_invalid')
    expect(complaints).toEqual([])
    await page.context().close()
  })
})
