import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { describeEachEngine } from '../../../test/support/db/databases.ts'
import { openRegistrationSite } from '../../../test/support/features/registration.ts'
import { requiring } from '../../../test/support/single-sign-on/requiring.ts'

type Here = Awaited<ReturnType<typeof openRegistrationSite>>

describeEachEngine('registering', (open) => {
  let here: Here
  beforeAll(async () => {
    here = await openRegistrationSite(await open())
  })
  beforeEach(() => here.reset())
  afterAll(() => here.smtp.close())
  const messageOf = async (answer: Promise<Readonly<Record<string, unknown>>>) => (await answer).message

  it('creates an ordinary user who can sign in, without a session', async () => {
    const { username } = here.fresh()
    here.site.state.newUserQuota = 700
    expect(await here.register({ username: ` ${username} ` })).toEqual({ success: true, message: '' })
    expect(await here.stored(username)).toMatchObject({ role: 1, status: 1, quota: 700, email: '', inviter_id: 0 })
    expect((await here.site.signIn(username, 'a good password')).id).toBeGreaterThan(0)
  })

  it('gives what the invitation is worth', async () => {
    const [host, guest] = [here.fresh(), here.fresh()]
    await here.register(host)
    const { aff_code, id } = (await here.stored(host.username)) ?? {}
    Object.assign(here.site.state, { newUserQuota: 700, invitationQuotas: { invitee: 50, inviter: 30 } })
    await here.register({ ...guest, aff_code })
    expect(await here.stored(guest.username)).toMatchObject({ quota: 750, inviter_id: id })
    expect(await here.stored(host.username)).toMatchObject({ aff_count: 1, aff_quota: 30, quota: 0 })
  })

  describe('is refused', () => {
    it.each([
      ['registration is off', { RegisterEnabled: false }, '管理员关闭了新用户注册'],
      ['the site is for one person', { SelfUseModeEnabled: true }, '管理员关闭了新用户注册'],
      [
        'passwords are off',
        { PasswordRegisterEnabled: false },
        '管理员关闭了通过密码进行注册，请使用第三方账户验证的形式进行注册',
      ],
      [
        'a proven address is asked for',
        { EmailVerificationEnabled: true },
        '管理员开启了邮箱验证，请输入邮箱地址和验证码',
      ],
    ])('while %s', async (_, change, message) => {
      Object.assign(here.settings, change)
      const { username } = here.fresh()
      expect(await here.register({ username })).toMatchObject({ success: false, message })
      expect(await here.stored(username)).toBeUndefined()
    })

    it.each([
      [{ username: '' }, '用户名或密码为空'],
      [{ username: '   ' }, '用户名或密码为空'],
      [{ password: '' }, '用户名或密码为空'],
      [{ username: 'thirteen-char' }, '输入不合法：用户名为 1 到 12 个字符，不能包含空格或 @'],
      [{ username: 'a@example' }, '输入不合法：用户名为 1 到 12 个字符，不能包含空格或 @'],
      [{ password: '1234567' }, '输入不合法：密码长度不得小于 8 位！'],
      [{ username: '\u200b' }, '输入不合法：用户名为 1 到 12 个字符，不能包含空格或 @'],
      [{ username: 'ro\u200bot' }, '输入不合法：用户名为 1 到 12 个字符，不能包含空格或 @'],
      [{ username: '\u202etoor' }, '输入不合法：用户名为 1 到 12 个字符，不能包含空格或 @'],
      [{ username: '\u3164' }, '输入不合法：用户名为 1 到 12 个字符，不能包含空格或 @'],
      [{ password: '123456789012345678901' }, '输入不合法：密码长度不得大于 20 位！'],
      [{ password2: 'another password' }, '两次输入的密码不一致'],
      [{ username: 'root' }, '用户名已存在，或已注销'],
      [{ username: 5 }, '无效的参数'],
    ])('for %j', async (form, message) => {
      expect(await messageOf(here.register({ username: 'fine', ...form }))).toBe(message)
    })

    it('for the name of a cancelled user', async () => {
      const { username } = here.fresh()
      await here.register({ username })
      const { query } = here.site.database
      await query.updateTable('users').set({ deleted_at: 1 }).where('username', '=', username).execute()
      expect(await messageOf(here.register({ username }))).toBe('用户名已存在，或已注销')
    })
  })

  it('distinguishes names that differ in case only, on every database, and so does signing in', async () => {
    const { username } = here.fresh()
    const loud = username.toUpperCase()
    expect(loud).not.toBe(username)
    expect(await here.register({ username })).toMatchObject({ success: true })
    expect(await messageOf(here.site.login(loud, 'a good password').then(({ json }) => json))).toBe(
      '用户名或密码错误，或用户已被封禁',
    )
    expect(await here.register({ username: loud })).toMatchObject({ success: true })
    const [quiet, other] = [await here.stored(username), await here.stored(loud)]
    expect([quiet?.username, other?.username]).toEqual([username, loud])
    expect((await here.site.signIn(loud, 'a good password')).id).toBe(other?.id)
    expect((await here.site.signIn(username, 'a good password')).id).toBe(quiet?.id)
  })

  describe('with an e-mail address', () => {
    beforeEach(() => {
      here.settings.EmailVerificationEnabled = true
    })

    it('takes the code that was mailed, and stores the address in lower case', async () => {
      const { username, email } = here.fresh()
      expect(await here.askForCode(email.toUpperCase())).toMatchObject({ success: true })
      expect(here.smtp.mails).toMatchObject([{ to: [email], subject: 'Tollgate 邮箱验证码' }])
      expect(here.smtp.mails[0]?.body).toContain('验证码 3 分钟内有效')
      const form = { username, email: email.toUpperCase(), verification_code: ` ${here.codeSent()} ` }
      expect(await here.register(form)).toMatchObject({ success: true })
      expect(await here.stored(username)).toMatchObject({ email })
      expect((await here.site.signIn(email.toUpperCase(), 'a good password')).id).toBeGreaterThan(0)
    })

    it('says a wrong or expired code before it says that the name is taken', async () => {
      const { email } = here.fresh()
      await here.askForCode(email)
      const form = { username: 'root', email, verification_code: 'wrong' }
      expect(await messageOf(here.register(form))).toBe('验证码错误或已过期')
      here.pass(181)
      const late = { username: here.fresh().username, email, verification_code: here.codeSent() }
      expect(await messageOf(here.register(late))).toBe('验证码错误或已过期')
    })

    it('keeps the code for another try when the name is taken, and uses it up when it is not', async () => {
      const { username, email } = here.fresh()
      await here.askForCode(email)
      const form = { email, verification_code: here.codeSent() }
      expect(await messageOf(here.register({ ...form, username: 'root' }))).toBe('用户名已存在，或已注销')
      expect(await here.register({ ...form, username })).toMatchObject({ success: true })
      expect(await messageOf(here.register({ ...form, username: here.fresh().username }))).toBe('验证码错误或已过期')
    })

    it('is refused with an address whose people sign in by an identity provider', async () => {
      const { username, email } = here.fresh()
      await here.askForCode(email)
      here.site.state.requiredWays = requiring({ slug: 'acme', name: 'Acme', domain: 'example.com', organisationId: 0 })
      try {
        const form = { username, email, verification_code: here.codeSent() }
        expect(await messageOf(here.register(form))).toBe('邮箱为 @example.com 的用户须通过 Acme 登录')
        expect(await messageOf(here.askForCode(here.fresh().email))).toContain('须通过 Acme 登录')
      } finally {
        here.site.state.requiredWays = requiring(undefined)
      }
    })

    it('makes one user when a code is used several times at the same moment', async () => {
      const { email } = here.fresh()
      await here.askForCode(email)
      const form = { email, verification_code: here.codeSent() }
      const answers = await Promise.all([1, 2, 3, 4].map(() => here.register({ ...here.fresh(), ...form })))
      expect(answers.filter(({ success }) => success)).toHaveLength(1)
      const { query } = here.site.database
      expect(await query.selectFrom('users').select('id').where('email', '=', email).execute()).toHaveLength(1)
    })

    it('refuses an address that another user bound after the code was sent', async () => {
      const { username, email } = here.fresh()
      await here.askForCode(email)
      const owner = await here.site.person(here.fresh().username, 1)
      const self = { id: owner.id, username: 'owner', ip: '' }
      await here.site.users.links.link(self, { provider: 'email', subject: email })
      const form = { username, email, verification_code: here.codeSent() }
      expect(await messageOf(here.register(form))).toBe('邮箱地址已被占用')
      expect(await here.stored(username)).toBeUndefined()
    })

    it('holds to the rules for addresses again, in case they became stricter', async () => {
      const { username, email } = here.fresh()
      await here.askForCode(email)
      here.settings.EmailDomainRestrictionEnabled = true
      here.settings.EmailDomainWhitelist = ['elsewhere.com']
      const form = { username, email, verification_code: here.codeSent() }
      expect(await messageOf(here.register(form))).toContain('email domain name whitelist')
    })
  })

  it('makes a first key where the operator wants one, and stands when that fails', async () => {
    const [one, two] = [here.fresh(), here.fresh()]
    here.first.wanted = true
    await here.register(one)
    expect(here.firstTokens).toMatchObject([{ username: one.username }])
    here.first.fails = true
    expect(await here.register(two)).toMatchObject({ success: true })
  })
})
