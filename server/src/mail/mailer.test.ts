import type { SMTPServerOptions } from 'smtp-server'
import { afterEach, expect, it } from 'vitest'
import { openTestSmtp } from '../../test/support/mail/smtp.ts'
import { AppError } from '../lib/app-error.ts'
import { createEgressGuard } from '../lib/security/egress.ts'
import { openMailer } from './mailer.ts'
import { verificationMail } from './templates.ts'

type Smtp = Awaited<ReturnType<typeof openTestSmtp>>
const servers: Smtp[] = []
const smtp = async (options: SMTPServerOptions = {}): Promise<Smtp> => {
  const server = await openTestSmtp(options)
  servers.push(server)
  return server
}
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

const mail = verificationMail({ to: 'reader@example.com', systemName: '收费站', language: 'zh' }, 'a1b2c3', 3)
const codeOf = async (sending: Promise<void>): Promise<string> => {
  const error = await sending.catch((caught: unknown) => caught)
  return error instanceof AppError ? error.code : 'sent'
}
const causeOf = async (sending: Promise<void>): Promise<string> => {
  const error = await sending.catch((caught: unknown) => caught)
  return error instanceof AppError && error.cause instanceof Error ? error.cause.message : 'sent'
}

it('encrypts with STARTTLS where it is offered, and sends what was written', async () => {
  const server = await smtp()
  await server.mailerFor({ SystemName: '收费站' })(mail)
  expect(server.mails).toMatchObject([
    { from: 'gate@tollgate.test', to: ['reader@example.com'], subject: '收费站 邮箱验证码', encrypted: true },
  ])
  expect(server.mails[0]?.body).toContain('验证码 3 分钟内有效')
  expect(server.mails[0]?.body).toContain('<strong>a1b2c3</strong>')
  expect(server.mails[0]?.raw).toMatch(/^Message-ID: <[^>]+@tollgate\.test>/im)
})

it('speaks TLS from the start when chosen', async () => {
  const server = await smtp({ secure: true })
  await server.mailerFor()(mail)
  expect(server.mails).toMatchObject([{ encrypted: true }])
})

it('signs in when there is an account, which is also the sender unless another is named', async () => {
  const server = await smtp({ authOptional: false })
  await server.mailerFor({ SMTPAccount: 'account@tollgate.test', SMTPToken: 'right', SMTPFrom: '' })(mail)
  expect(server.mails).toMatchObject([{ user: 'account@tollgate.test', from: 'account@tollgate.test' }])
})

it('signs in with LOGIN where PLAIN is not known', async () => {
  const server = await smtp({ authOptional: false, authMethods: ['LOGIN'] })
  await server.mailerFor({ SMTPAccount: 'account@tollgate.test', SMTPToken: 'right' })(mail)
  expect(server.mails).toMatchObject([{ user: 'account@tollgate.test' }])
})

it('reports a refused password without telling it', async () => {
  const server = await smtp()
  const cause = await causeOf(server.mailerFor({ SMTPAccount: 'a@tollgate.test', SMTPToken: 'secret-word' })(mail))
  expect(cause).toContain('Invalid username or password')
  expect(cause).not.toContain('secret-word')
  expect(server.mails).toEqual([])
})

it('refuses a certificate without a trusted signature, with STARTTLS and with TLS', async () => {
  const [starttls, tls] = [await smtp(), await smtp({ secure: true })]
  expect(await causeOf(starttls.strangerFor()(mail))).toMatch(/certificate/i)
  expect(await causeOf(tls.strangerFor()(mail))).toMatch(/certificate/i)
  expect([...starttls.mails, ...tls.mails]).toEqual([])
})

it('refuses a certificate that was made for another server', async () => {
  const server = await smtp()
  expect(await causeOf(server.mailerFor({ SMTPServer: 'other.test' })(mail))).toMatch(/altnames|does not match/i)
  expect(server.mails).toEqual([])
})

it('never sends a password to another machine in clear text', async () => {
  const server = await smtp({ disabledCommands: ['STARTTLS'], allowInsecureAuth: true })
  expect(await codeOf(server.mailerFor({ SMTPAccount: 'a@tollgate.test', SMTPToken: 'right' })(mail))).toBe(
    'mail_failed',
  )
  await server.mailerFor()(mail)
  expect(server.mails).toMatchObject([{ encrypted: false, user: undefined }])
})

it('sends to several addresses separated by semicolons', async () => {
  const server = await smtp()
  await server.mailerFor()({ ...mail, to: 'one@example.com; two@example.com' })
  expect(server.mails).toMatchObject([{ to: ['one@example.com', 'two@example.com'] }])
})

it('answers the exact error text when mail is not set up', async () => {
  const server = await smtp()
  expect(await codeOf(server.mailerFor({ SMTPServer: ' ' })(mail))).toBe('mail_not_configured')
  expect(await codeOf(server.mailerFor({ SMTPFrom: 'no address' })(mail))).toBe('mail_account_invalid')
})

it('reports when no server answers, and never connects to metadata services', async () => {
  const closed = await openTestSmtp()
  const unreachable = closed.mailerFor()
  await closed.close()
  expect(await causeOf(unreachable(mail))).toContain('ECONNREFUSED')
  const egress = createEgressGuard({ allow: [], operator: true })
  const send = openMailer({ settings: () => closed.settings({ SMTPServer: '169.254.169.254' }), egress })
  expect(await causeOf(send(mail))).toContain('169.254.169.254')
})
