import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { describeEachEngine } from '../../../test/support/db/databases.ts'
import type { SignedIn } from '../../../test/support/features/accounts.ts'
import { openRegistrationSite } from '../../../test/support/features/registration.ts'

type Here = Awaited<ReturnType<typeof openRegistrationSite>>

describeEachEngine('e-mail addresses', (open) => {
  let here: Here
  beforeAll(async () => {
    here = await openRegistrationSite(await open())
  })
  beforeEach(() => here.reset())
  afterAll(() => here.smtp.close())
  const person = (): Promise<SignedIn> => here.site.person(here.fresh().username, 1)

  describe('a code', () => {
    it.each([
      ['', {}, '无效的参数'],
      ['no address', {}, '无效的邮箱地址'],
      ['two@at@example.com', {}, '无效的邮箱地址'],
      ['a@example.com\r\nBcc: b@example.com', {}, '无效的邮箱地址'],
      [
        'somebody@elsewhere.com',
        { EmailDomainRestrictionEnabled: true },
        "The administrator has enabled the email domain name whitelist, and your email address is not allowed due to special symbols or it's not in the whitelist.",
      ],
      [
        'some.body@example.com',
        { EmailAliasRestrictionEnabled: true },
        '管理员已启用邮箱地址别名限制，您的邮箱地址由于包含特殊符号而被拒绝。',
      ],
      [
        'body+tag@example.com',
        { EmailAliasRestrictionEnabled: true },
        '管理员已启用邮箱地址别名限制，您的邮箱地址由于包含特殊符号而被拒绝。',
      ],
      ['fine@example.com', { SMTPServer: '' }, 'SMTP 服务器未配置'],
      ['fine@example.com', { SMTPFrom: 'nobody' }, 'invalid SMTP account'],
    ])('is not sent to %j with %j', async (email, change, message) => {
      Object.assign(here.settings, change)
      expect(await here.askForCode(email)).toMatchObject({ success: false, message })
      expect(here.smtp.mails).toEqual([])
    })

    it.each([
      [{ RegisterEnabled: false }, 'registration_disabled'],
      [{ SelfUseModeEnabled: true }, 'registration_disabled'],
      [{ PasswordRegisterEnabled: false }, 'password_registration_disabled'],
    ])('is sent to users only, while registration is closed: %j', async (change, code) => {
      const [{ email }, owner] = [here.fresh(), await person()]
      Object.assign(here.settings, change)
      expect(await here.askForCode(email)).toMatchObject({ success: false, code })
      expect(here.smtp.mails).toEqual([])
      expect(await here.askForCode(email, { cookie: owner.cookie })).toMatchObject({ success: true })
    })

    it('is sent in the language of the caller, once in 30 seconds for all callers', async () => {
      const { email } = here.fresh()
      const owner = await person()
      expect(await here.askForCode(email, { 'accept-language': 'en' })).toMatchObject({ success: true })
      here.pass(10)
      expect(await here.askForCode(email)).toMatchObject({ success: false, message: '请 20 秒后再获取' })
      expect(await here.askForCode(email, { cookie: owner.cookie })).toMatchObject({ code: 'email_too_soon' })
      expect(here.smtp.mails.map(({ subject }) => subject)).toEqual(['Your Tollgate verification code'])
      here.pass(20)
      expect(await here.askForCode(email)).toMatchObject({ success: true })
    })

    it('goes out once when it is asked for several times at the same moment', async () => {
      const { email } = here.fresh()
      const answers = await Promise.all([1, 2, 3, 4].map(() => here.askForCode(email)))
      expect(answers.filter(({ success }) => success)).toHaveLength(1)
      expect(here.smtp.mails).toHaveLength(1)
    })

    it('goes to one recipient five times in 20 minutes, for all callers and purposes', async () => {
      const { email } = here.fresh()
      here.pass(1200 - ((here.site.state.now / 1000) % 1200))
      for (let mail = 0; mail < 5; mail += 1) {
        expect(await (mail === 3 ? here.askForReset(email) : here.askForCode(email))).toMatchObject({ success: true })
        here.pass(30)
      }
      const refusal = { success: false, code: 'email_too_soon', message: '请 1050 秒后再获取' }
      expect([await here.askForCode(email), await here.askForReset(email)]).toMatchObject([refusal, refusal])
      here.pass(1050)
      expect(await here.askForCode(email)).toMatchObject({ success: true })
    })

    it('can be asked for again at once when it could not be sent', async () => {
      const { email } = here.fresh()
      const port = here.settings.SMTPPort
      here.settings.SMTPPort = 1
      expect(await here.askForCode(email)).toMatchObject({ success: false, message: '邮件发送失败，请稍后重试' })
      here.settings.SMTPPort = port
      expect(await here.askForCode(email)).toMatchObject({ success: true })
    })
  })

  describe('binding', () => {
    const bind = (user: { cookie: string }, email: string, code: string) =>
      here.visit('GET', `/api/oauth/email/bind?${new URLSearchParams({ email, code })}`, undefined, {
        cookie: user.cookie,
      })

    it('takes the code that its user requested, also while registration needs no address', async () => {
      const owner = await person()
      const { email } = here.fresh()
      await here.askForCode(email.toUpperCase(), { cookie: owner.cookie })
      expect(await bind(owner, email, 'wrong')).toMatchObject({ success: false, message: '验证码错误或已过期' })
      expect(await bind(owner, email, here.codeSent())).toEqual({ success: true, message: '' })
      expect((await owner.call('GET', '/api/user/self')).json.data).toMatchObject({ email })
      expect(here.site.changed).toContain(owner.id)
      expect(await here.askForCode(email)).toMatchObject({ message: '邮箱地址已被占用' })
    })

    it('makes a stranger who guesses at one address wait, and never who was sent the code', async () => {
      const [owner, stranger] = [await person(), await person()]
      const { email } = here.fresh()
      await here.askForCode(email, { cookie: owner.cookie })
      const guess = (from: string) =>
        here.visit('GET', `/api/oauth/email/bind?${new URLSearchParams({ email, code: 'wrong' })}`, undefined, {
          cookie: stranger.cookie,
          from,
        })
      const answers = []
      for (let tries = 0; tries < 12; tries += 1) answers.push((await guess('10.9.9.9')).code)
      expect(answers).toEqual([
        ...Array(5).fill('verification_code_wrong'),
        ...Array(7).fill('second_factor_throttled'),
      ])
      here.pass(2)
      expect((await guess('10.9.9.9')).code).toBe('verification_code_wrong')
      expect((await guess('10.9.9.9')).code).toBe('second_factor_throttled')
      expect(await bind(owner, email, here.codeSent())).toEqual({ success: true, message: '' })
    })

    it('leaves mails to the owner of an address for which a stranger asks', async () => {
      const { email } = here.fresh()
      const ask = (from: string) => here.visit('GET', `/api/reset_password?email=${email}`, undefined, { from })
      for (let mail = 0; mail < 3; mail += 1) {
        expect(await ask('10.9.9.8')).toMatchObject({ success: true })
        here.pass(30)
      }
      expect(await ask('10.9.9.8')).toMatchObject({ code: 'email_too_soon' })
      expect(await ask('10.9.9.7')).toMatchObject({ success: true })
    })

    it('refuses a code that another user requested', async () => {
      const [owner, victim] = [await person(), await person()]
      const { email } = here.fresh()
      await here.askForCode(email, { cookie: owner.cookie })
      expect(await bind(victim, email, here.codeSent())).toMatchObject({ message: '验证码错误或已过期' })
      expect(await here.register({ ...here.fresh(), email, verification_code: here.codeSent() })).toMatchObject({
        success: true,
      })
      expect(await here.site.users.links.emailTaken(email)).toBe(false)
    })

    it('lets one of two users at the same moment have an address', async () => {
      const [one, two] = [await person(), await person()]
      const { email } = here.fresh()
      const codes: string[] = []
      for (const user of [one, two]) {
        await here.askForCode(email, { cookie: user.cookie })
        codes.push(here.codeSent())
        here.pass(30)
      }
      const answers = await Promise.all([bind(one, email, codes[0] ?? ''), bind(two, email, codes[1] ?? '')])
      expect(answers.filter(({ success }) => success)).toHaveLength(1)
    })

    it('needs a login, in the standard shape', async () => {
      const answer = await here.site.call('GET', '/api/oauth/email/bind?email=a@example.com&code=abc123')
      expect(answer.status).toBe(401)
      expect(answer.json).toMatchObject({ success: false, code: 'not_signed_in' })
    })

    it('can be undone', async () => {
      const owner = await person()
      const { email } = here.fresh()
      await here.askForCode(email, { cookie: owner.cookie })
      await bind(owner, email, here.codeSent())
      expect((await owner.call('DELETE', '/api/oauth/email/bind')).json).toMatchObject({ success: true })
      expect((await owner.call('GET', '/api/user/self')).json.data).toMatchObject({ email: '' })
      expect(await here.site.users.links.emailTaken(email)).toBe(false)
    })
  })

  describe('a test mail', () => {
    const root = (): Promise<SignedIn> => here.site.signIn('root', 'root password')

    it('shows the operator that mail works', async () => {
      const answer = await (await root()).call('POST', '/api/option/test_mail', { to: 'operator@example.com' })
      expect(answer.json).toMatchObject({ success: true })
      expect(here.smtp.mails).toMatchObject([{ to: ['operator@example.com'], subject: 'Tollgate 测试邮件' }])
    })

    it('shows the operator what the mail server said', async () => {
      here.settings.SMTPPort = 1
      const answer = await (await root()).call('POST', '/api/option/test_mail', { to: 'operator@example.com' })
      expect(answer.json).toMatchObject({ success: false, code: 'address_connection_refused' })
    })

    it('needs an address, and the super admin', async () => {
      expect((await (await root()).call('POST', '/api/option/test_mail', {})).json).toMatchObject({ success: false })
      const admin = await here.site.person(here.fresh().username, 10)
      const answer = await admin.call('POST', '/api/option/test_mail', { to: 'operator@example.com' })
      expect(answer.json).toMatchObject({ code: 'permission_denied' })
      expect(here.smtp.mails).toEqual([])
    })
  })
})
