import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { describeEachEngine } from '../../../test/support/db/databases.ts'
import { openRegistrationSite } from '../../../test/support/features/registration.ts'
import { requiring } from '../../../test/support/single-sign-on/requiring.ts'

type Here = Awaited<ReturnType<typeof openRegistrationSite>>

describeEachEngine('a lost password', (open) => {
  let here: Here
  beforeAll(async () => {
    here = await openRegistrationSite(await open())
  })
  beforeEach(() => here.reset())
  afterAll(() => here.smtp.close())

  /** Somebody with a proven address, signed in. */
  const owner = async () => {
    const { username, email } = here.fresh()
    const signedIn = await here.site.person(username, 1)
    const self = { id: signedIn.id, username, ip: '' }
    await here.site.users.links.link(self, { provider: 'email', subject: email })
    return { ...signedIn, username, email }
  }
  const finish = (body: object) => here.visit('POST', '/api/user/reset', body)
  const tokenSent = async (email: string): Promise<string> => {
    await here.askForReset(email)
    await here.registration.passwordReset.settled()
    return here.linkSent().searchParams.get('token') ?? ''
  }

  it('is replaced by way of a mailed link, and everything that it opened ends', async () => {
    const { email, username, id, call } = await owner()
    const accessToken = (await call('POST', '/api/user/token')).json.data
    expect(await here.askForReset(email.toUpperCase())).toEqual({ success: true, message: '' })
    await here.registration.passwordReset.settled()
    expect(here.smtp.mails).toMatchObject([{ to: [email], subject: '重置 Tollgate 密码' }])
    const link = here.linkSent()
    expect(link.origin + link.pathname).toBe('https://gate.test/user/reset')
    const { email: linked, token } = Object.fromEntries(link.searchParams)

    const answer = await finish({ email: linked, token })
    expect(answer).toMatchObject({ success: true, data: expect.stringMatching(/^[A-Za-z0-9]{16}$/) })
    expect((await call('GET', '/api/user/self')).status).toBe(401)
    const headers = { authorization: `Bearer ${accessToken}`, 'New-Api-User': String(id) }
    expect((await here.site.call('GET', '/api/user/self', { headers })).json).toMatchObject({ success: false })
    expect((await here.site.signIn(username, String(answer.data))).id).toBe(id)
  })

  it('may be replaced by one of the own choice', async () => {
    const { email, username, id } = await owner()
    const token = await tokenSent(email)
    expect(await finish({ email, token, password: 'short' })).toMatchObject({
      success: false,
      message: '输入不合法：密码长度不得小于 8 位！',
    })
    expect(await finish({ email, token, password: 'chosen password' })).toMatchObject({ success: true, data: '' })
    expect((await here.site.signIn(username, 'chosen password')).id).toBe(id)
  })

  it('is replaced once, however often the link is used at the same moment', async () => {
    const { email } = await owner()
    const token = await tokenSent(email)
    const answers = await Promise.all([1, 2, 3, 4].map(() => finish({ email, token })))
    expect(answers.filter(({ success }) => success)).toHaveLength(1)
    expect(await finish({ email, token })).toMatchObject({ success: false, message: '重置链接非法或已过期' })
  })

  it('stays when the link is wrong, expired or of another user', async () => {
    const [one, two] = [await owner(), await owner()]
    const token = await tokenSent(one.email)
    const refusal = { success: false, message: '重置链接非法或已过期' }
    expect(await finish({ email: one.email, token: 'wrong' })).toMatchObject(refusal)
    expect(await finish({ email: two.email, token })).toMatchObject(refusal)
    expect(await finish({ email: 'nobody@example.com', token })).toMatchObject(refusal)
    expect(await finish({ email: one.email, token: '' })).toMatchObject({ message: '无效的参数' })
    here.pass(600)
    expect(await finish({ email: one.email, token })).toMatchObject(refusal)
    expect((await here.site.signIn(one.username, `${one.username} password`)).id).toBe(one.id)
  })

  it('does not reveal to strangers which addresses have accounts', async () => {
    const { email } = await owner()
    const banned = await owner()
    const { query } = here.site.database
    await query.updateTable('users').set({ status: 2 }).where('id', '=', banned.id).execute()
    const emails = [email, 'nobody@example.com', banned.email]
    const first = [await here.askForReset(emails[0] ?? ''), await here.askForReset(emails[1] ?? '')]
    expect([...first, await here.askForReset(emails[2] ?? '')]).toEqual(Array(3).fill({ success: true, message: '' }))
    const again = [await here.askForReset(emails[0] ?? ''), await here.askForReset(emails[1] ?? '')]
    expect(again.map(({ message }) => message)).toEqual(['请 30 秒后再获取', '请 30 秒后再获取'])
    await here.registration.passwordReset.settled()
    expect(here.smtp.mails.map(({ to }) => to)).toEqual([[email]])
  })

  it('is not for people who have to sign in by an identity provider, but for root', async () => {
    const [person, chief] = [await owner(), await owner()]
    const { query } = here.site.database
    await query.updateTable('users').set({ role: 100 }).where('id', '=', chief.id).execute()
    const before = await tokenSent(person.email)
    here.site.state.requiredWays = requiring({ slug: 'acme', name: 'Acme', domain: 'example.com', organisationId: 0 })
    const refusal = { success: false, code: 'sso_required', data: { slug: 'acme', name: 'Acme' } }
    try {
      expect(await finish({ email: person.email, token: before })).toMatchObject(refusal)
      here.pass(60)
      const sent = here.smtp.mails.length
      for (const { email } of [person, chief]) expect(await here.askForReset(email)).toMatchObject(refusal)
      await here.registration.passwordReset.settled()
      expect(here.smtp.mails.slice(sent).map(({ to }) => to)).toEqual([[chief.email]])
      const token = here.linkSent().searchParams.get('token') ?? ''
      expect(await finish({ email: chief.email, token })).toMatchObject({ success: true })
    } finally {
      here.site.state.requiredWays = requiring(undefined)
    }
  })

  it('goes to people whom the provider of an organisation does not bind; the answer does not tell who they are', async () => {
    const [member, outsider] = [await owner(), await owner()]
    const before = await tokenSent(member.email)
    const way = { slug: 'acme', name: 'Acme', domain: 'example.com', organisationId: 5 }
    here.site.state.requiredWays = requiring(way, [member.id])
    const offered = { success: false, data: { slug: 'acme', name: 'Acme' } }
    try {
      expect(await finish({ email: member.email, token: before })).toMatchObject({ ...offered, code: 'sso_required' })
      here.pass(60)
      const sent = here.smtp.mails.length
      for (const email of [member.email, outsider.email, here.fresh().email])
        expect(await here.askForReset(email)).toMatchObject({ ...offered, code: 'sso_or_reset_mail' })
      await here.registration.passwordReset.settled()
      expect(here.smtp.mails.slice(sent).map(({ to }) => to)).toEqual([[outsider.email]])
      const token = here.linkSent().searchParams.get('token') ?? ''
      expect(await finish({ email: outsider.email, token })).toMatchObject({ success: true })
    } finally {
      here.site.state.requiredWays = requiring(undefined)
    }
  })

  it('answers before the mail is sent, so that the time reveals nothing either', async () => {
    const { email } = await owner()
    here.settings.SMTPPort = 1
    expect(await here.askForReset(email)).toEqual({ success: true, message: '' })
    await here.registration.passwordReset.settled()
  })

  it('says so when no mail can be sent at all', async () => {
    here.settings.SMTPServer = ''
    expect(await here.askForReset('nobody@example.com')).toMatchObject({ message: 'SMTP 服务器未配置' })
    expect(await here.askForReset('no address')).toMatchObject({ message: '无效的邮箱地址' })
  })

  it('is never mailed an address that a caller made up', async () => {
    const [one, two] = [await owner(), await owner()]
    const forged = { host: 'evil.test', 'x-forwarded-host': 'evil.test', origin: 'https://evil.test' }
    await here.askForReset(one.email, forged)
    await here.registration.passwordReset.settled()
    expect(here.linkSent().host).toBe('gate.test')
    here.settings.ServerAddress = ''
    await here.askForReset(two.email, forged)
    await here.registration.passwordReset.settled()
    expect(here.linkSent().host).toBe('localhost:3000')
  })
})
