import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type NameServer, startNameServer } from '../../../server/test/support/dns/name-server.ts'
import { openTestSmtp } from '../../../server/test/support/mail/smtp.ts'
import {
  type OidcProvider,
  oidcClient,
  startOidcProvider,
} from '../../../server/test/support/single-sign-on/oidc-provider.ts'
import {
  type BrowserTab,
  browserIsHere,
  findings,
  openBrowser,
  openTab,
  picture,
  sidewaysOverflow,
} from '../../support/browser.ts'
import { type Person, signIn } from '../../support/operator.ts'
import { type Site, startSite } from '../../support/site.ts'
import { field, logIn, notified, openPage, settle, twoLooks } from '../console.ts'

const certificates = join(import.meta.dirname, '../../../server/test/support/gateway/certificates')
const certificateFile = join(certificates, 'localhost.pem')
const certificate = {
  key: readFileSync(join(certificates, 'localhost.key'), 'utf8'),
  cert: readFileSync(certificateFile, 'utf8'),
}

const password = 'battery-staple'
const domain = 'northwind.test'

const chinese = {
  domain: '邮箱域名',
  byRecord: '通过 DNS 记录验证',
  check: '检查记录',
  missing: '没有找到名为',
  proved: '域名已验证',
  add: '添加提供方',
  kind: '类型',
  name: '名称',
  slug: '标识',
  issuer: 'Issuer',
  clientId: 'Client ID',
  secret: 'Client Secret',
  test: '测试连接',
  found: '已连接',
  save: '保存',
  saved: '已保存提供方「Northwind」',
  enforce: `要求 @${domain} 的成员使用此提供方登录`,
  signInFirst: '需先由一名所有者在账户绑定中绑定此提供方',
  bind: '绑定 Northwind',
  with: '使用 Northwind 登录',
  withSlug: '使用 northwind 登录',
  edit: '编辑 Northwind',
  enforced: `强制登录：${domain}`,
  required: `邮箱为 @${domain} 的用户须通过 Northwind 登录`,
  wrong: `邮箱为 @${domain} 的组织成员请通过 Northwind 登录`,
}

const english: typeof chinese = {
  domain: 'Email domain',
  byRecord: 'Verify by DNS record',
  check: 'Check record',
  missing: 'There is no TXT record named',
  proved: 'Domain verified',
  add: 'Add provider',
  kind: 'Type',
  name: 'Name',
  slug: 'Slug',
  issuer: 'Issuer',
  clientId: 'Client ID',
  secret: 'Client secret',
  test: 'Test connection',
  found: 'Connected to',
  save: 'Save',
  saved: 'Provider “Northwind” saved',
  enforce: `Require members at ${domain} to use this provider`,
  signInFirst: 'An owner must first link this provider under Connections',
  bind: 'Link Northwind',
  with: 'Sign in with Northwind',
  withSlug: 'Sign in with northwind',
  edit: 'Edit Northwind',
  enforced: `Required for ${domain}`,
  required: `Users with an address at ${domain} must sign in with Northwind`,
  wrong: `Members with an address at ${domain} sign in with Northwind`,
}

const cases = twoLooks.map((look) => ({ look, say: look.language === 'zh' ? chinese : english }))

/** From an organisation without a provider to one that is enforced, and back; each step needs the ones before it. */
describe.skipIf(!browserIsHere).each(cases)(
  'the provider that an organisation enforces: $look.name',
  ({ look, say }) => {
    const shot = (page: Page, name: string): Promise<void> => picture(page, `enforced-provider-${name}-${look.name}`)
    let browser: Browser
    let site: Site
    let names: NameServer
    let oidc: OidcProvider
    let smtp: Awaited<ReturnType<typeof openTestSmtp>>
    let boss: Person
    let owner: BrowserTab
    let organisation = 0

    const sheet = (page: Page) => page.getByRole('dialog')
    const press = (page: Page, name: string): Promise<void> =>
      page.getByRole('button', { name, exact: true }).last().click()
    const soundPage = async (page: Page): Promise<void> => {
      await settle(page)
      expect([await findings(page), await sidewaysOverflow(page)]).toEqual([[], 0])
    }
    const settings = (): string => `${site.url}/organisation/${organisation}?tab=settings`
    const providers = (): string => `${site.url}/organisation/${organisation}?tab=providers`

    /** Somebody with a password, a proved address and a place in the organisation. */
    const addMember = async (username: string, email: string): Promise<void> => {
      const before = smtp.mails.length
      await fetch(`${site.url}/api/verification?email=${encodeURIComponent(email)}`)
      const mail = (await smtp.arrived(before + 1)).find(({ to }) => to.includes(email))
      const code = /<strong>([0-9a-f]{6})<\/strong>/.exec(mail?.body ?? '')?.[1] ?? ''
      const answer = await fetch(`${site.url}/api/user/register`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ username, password, email, verification_code: code }),
      })
      expect(await answer.json()).toMatchObject({ success: true })
      const member = await signIn(site.url, username, password)
      const { secret } = await boss.must<{ secret: string }>('POST', `/api/organisation/${organisation}/invitations`, {
        team_id: 0,
        role: 'member',
        email,
      })
      await member.must('POST', '/api/organisation/invitation/accept', { secret })
    }

    /** Types a password into the login page, to which the organisation's page leads visitors. */
    const enterPassword = async (page: Page, name: string, typed = password): Promise<void> => {
      await page.goto(`${site.url}/organisation/${organisation}`)
      await page.waitForURL('**/login?**')
      await page.locator('#username').fill(name)
      await page.locator('#password').fill(typed)
      await page.locator('form button[type=submit]').click()
    }
    const landsInOrganisation = async (page: Page): Promise<void> => {
      await page.waitForURL((url) => url.pathname === `/organisation/${organisation}`)
      await page.getByRole('heading', { name: 'Northwind' }).first().waitFor()
    }

    beforeAll(async () => {
      ;[browser, names, smtp] = await Promise.all([
        openBrowser(),
        startNameServer(),
        openTestSmtp({ disabledCommands: ['STARTTLS', 'AUTH'] }),
      ])
      site = await startSite({
        DNS_SERVERS: names.address,
        // The provider stands on this machine, at an address that owners may else not name.
        EGRESS_ALLOW: 'localhost',
        NODE_EXTRA_CA_CERTS: certificateFile,
      })
      oidc = await startOidcProvider([`${site.url}/oauth/northwind`], [], certificate)
      const root = await signIn(site.url)
      const { SMTPPort, SMTPFrom } = smtp.settings()
      const options = {
        SMTPServer: '127.0.0.1',
        SMTPPort: String(SMTPPort),
        SMTPFrom,
        ServerAddress: site.url,
        EmailVerificationEnabled: 'true',
        OrganisationsEnabled: 'true',
        OrganisationProvidersEnabled: 'true',
      }
      for (const [key, value] of Object.entries(options)) await root.must('PUT', '/api/option/', { key, value })
      await root.must('POST', '/api/user/', { username: 'boss', password, display_name: 'Boss' })
      boss = await signIn(site.url, 'boss', password)
      organisation = (await boss.must<{ id: number }>('POST', '/api/organisation/', { name: 'Northwind' })).id
      await addMember('ada', `ada@${domain}`)
      await addMember('bob', 'bob@elsewhere.test')
      owner = await openTab(browser, look, { trustsAll: true })
      await owner.page.goto(`${site.url}/login`)
      await logIn(owner.page, 'boss', password)
    })
    afterAll(async () => {
      await browser?.close()
      await site?.remove()
      await oidc?.close()
      await smtp?.close()
      await names?.close()
    })

    it('is set up by an owner, who finds what is missing before it can be enforced', async () => {
      const { page } = owner
      await openPage(page, providers())
      await soundPage(page)
      await shot(page, 'none')
      await press(page, say.add)
      await sheet(page).getByLabel(say.kind).selectOption('oidc')
      await field(sheet(page), say.name).fill('Northwind')
      await field(sheet(page), say.slug).fill('northwind')
      await sheet(page).getByText(`${site.url}/oauth/northwind`).waitFor()
      await field(sheet(page), say.issuer).fill(oidc.origin)
      await field(sheet(page), say.clientId).fill(oidcClient.id)
      await sheet(page).getByLabel(say.secret).first().fill(oidcClient.secret)
      await press(page, say.test)
      await sheet(page).getByText(`${say.found} ${oidc.origin}`).waitFor()
      await soundPage(page)
      await shot(page, 'form')
      await press(page, say.save)
      await notified(page, say.saved)
    })

    it('needs a domain, which the owner proves by a record of its DNS', async () => {
      const { page } = owner
      await openPage(page, settings())
      await field(page, say.domain).fill(domain)
      await press(page, say.byRecord)
      const { name, value } = await boss.must<{ name: string; value: string }>(
        'GET',
        `/api/organisation/${organisation}/domain?domain=${domain}`,
      )
      await page.getByText(value).waitFor()
      await press(page, say.check)
      await page.getByText(say.missing).waitFor()
      await soundPage(page)
      await shot(page, 'record-missing')
      names.names.set(name, [value])
      await press(page, say.check)
      await notified(page, say.proved)
      await soundPage(page)
      await shot(page, 'proved')
    })

    it('is enforced once the owner came in by it', async () => {
      const { page } = owner
      await openPage(page, providers())
      await press(page, say.edit)
      await sheet(page).getByText(say.signInFirst).waitFor()
      expect(await sheet(page).getByRole('switch', { name: say.enforce }).isDisabled()).toBe(true)
      await sheet(page).getByRole('switch', { name: say.enforce }).scrollIntoViewIfNeeded()
      await soundPage(page)
      await shot(page, 'sign-in-first')

      oidc.state.person = { sub: 'boss', name: 'Boss', email: `boss@${domain}`, email_verified: true }
      await openPage(page, `${site.url}/personal/connections`)
      await shot(page, 'connections')
      await press(page, say.bind)
      const linked = async () =>
        (await boss.must<{ created_time: number }[]>('GET', '/api/sso/bindings'))[0]?.created_time
      await expect.poll(linked).toBeGreaterThan(0)
      const again = await openTab(browser, look, { trustsAll: true })
      await again.page.goto(`${site.url}/login?sso=northwind&next=/organisation/${organisation}?tab=providers`)
      await settle(again.page)
      await shot(again.page, 'sign-in-link')
      await press(again.page, say.withSlug)
      await landsInOrganisation(again.page)
      await settle(again.page)
      await press(again.page, say.edit)
      await sheet(again.page).getByRole('switch', { name: say.enforce }).click()
      await soundPage(again.page)
      await shot(again.page, 'enforcing')
      await press(again.page, say.save)
      await notified(again.page, say.saved)
      await again.page.getByText(say.enforced).waitFor()
      await soundPage(again.page)
      await shot(again.page, 'enforced')
      expect(again.complaints).toEqual([])
      await again.page.context().close()
    })

    it('is where a member of the domain is sent to from a password, and lands in the organisation', async () => {
      oidc.state.person = { sub: 'ada', name: 'Ada', email: `ada@${domain}`, email_verified: true }
      const { page, complaints } = await openTab(browser, look, { trustsAll: true })
      await enterPassword(page, `ada@${domain}`, 'not the password')
      await page.getByText(say.wrong).waitFor()
      await soundPage(page)
      await shot(page, 'wrong-password')
      await enterPassword(page, 'ada')
      await page.getByText(say.required).waitFor()
      await page.getByRole('button', { name: say.with, exact: true }).waitFor()
      await soundPage(page)
      await shot(page, 'sent-on')
      await press(page, say.with)
      await landsInOrganisation(page)
      await settle(page)
      await shot(page, 'landed')
      expect(complaints.filter((one) => !/40[13].*\/api\/user\/login/.test(one))).toEqual([])
      await page.context().close()
    })

    it('leaves members of other domains, and the owner, their passwords', async () => {
      for (const name of ['bob', 'boss']) {
        const { page, complaints } = await openTab(browser, look)
        await enterPassword(page, name)
        await landsInOrganisation(page)
        expect(complaints.filter((one) => !one.includes('401'))).toEqual([])
        await page.context().close()
      }
    })

    it('ends when the owner switches it off', async () => {
      const { page } = owner
      await openPage(page, providers())
      await press(page, say.edit)
      await sheet(page).getByRole('switch', { name: say.enforce }).click()
      await press(page, say.save)
      await notified(page, say.saved)
      await expect.poll(() => page.getByText(say.enforced).count()).toBe(0)
      const ada = await openTab(browser, look)
      await enterPassword(ada.page, 'ada')
      await landsInOrganisation(ada.page)
      await ada.page.context().close()
      expect(owner.complaints.filter((one) => !/40[0-9].*\/domain/.test(one))).toEqual([])
    })
  },
)
